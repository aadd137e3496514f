-- expect-error: 4:1 already in
-- name: x :many
SELECT 1;
-- name: x :many
SELECT 1;
