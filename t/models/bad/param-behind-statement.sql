-- expect-error: 4:1 before the first statement
-- name: x :exec
UPDATE t SET a = 1;
-- param: a int
UPDATE t SET a = 1;
