-- expect-error: 2:10 no model name
-- name: a/b :many
SELECT 1;
