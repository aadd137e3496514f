-- expect-error: 4:1 returns no rows
-- name: x :one
SELECT 1;
UPDATE t SET a = 1;
