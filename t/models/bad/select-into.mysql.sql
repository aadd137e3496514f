-- expect-error: 3:1 returns no rows
-- name: x :many
SELECT 1 INTO a;
