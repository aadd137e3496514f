-- expect-error: 3:12 write the rows
-- name: x :exec
-- expect: one
UPDATE t SET a = 1;
