-- expect-error: 3:8 has no name
-- name: x :many
SELECT ?;
