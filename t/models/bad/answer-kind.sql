-- expect-error: 3:12 makes members
-- name: x :many
-- answer: a :one
SELECT 1;
