-- expect-error: 2:1 has no model
SELECT 1;
-- name: x :many
SELECT 1;
