-- expect-error: 3:1 needs its END
-- name: x :exec
BEGIN NOT ATOMIC UPDATE t SET a = 1;
