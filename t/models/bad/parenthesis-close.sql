-- expect-error: 3:9 has no '('
-- name: x :many
SELECT 1);
