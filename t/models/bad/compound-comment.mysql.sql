-- expect-error: 4:1 inside a statement
-- name: x :exec
BEGIN NOT ATOMIC
-- expect: 1
UPDATE t SET a = 1; END;
