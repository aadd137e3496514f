-- expect-error: 2:1 belong to no statement
-- name: x :exec
UPDATE t SET a = 1;
-- expect: 1
