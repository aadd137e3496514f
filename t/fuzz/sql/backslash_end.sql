-- name: a :many
SELECT '\'