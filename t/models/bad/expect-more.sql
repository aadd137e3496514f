-- expect-error: 3:14 only
-- name: x :exec
-- expect: 1 or 2
UPDATE t SET a = 1;
