-- expect-error: 3:19 from 400
-- name: x :exec
-- expect: 1 else 302
UPDATE t SET a = 1;
