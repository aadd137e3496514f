-- expect-error: 4:1 inside a statement
-- name: x :exec
UPDATE t SET a = 1
-- expect: 1
 WHERE b = 2;
