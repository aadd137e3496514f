-- expect-error: 4:1 before the first statement
-- name: x :one
UPDATE t SET a = 1;
-- column: a bool
SELECT 1;
