-- name: a :many
SELECT a::text, b:: text, :c::int, d:::e;
