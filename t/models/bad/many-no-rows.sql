-- expect-error: 3:1 returns no rows
-- name: x :many
UPDATE t SET a = 1;
