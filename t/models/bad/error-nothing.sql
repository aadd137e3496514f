-- expect-error: 3:10 name a constraint
-- name: x :exec
-- error:
UPDATE t SET a = 1;
