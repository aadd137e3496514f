-- expect-error: 3:16 is empty
-- name: x :exec
-- expect: 2..1
UPDATE t SET a = 1;
