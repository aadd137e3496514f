-- expect-error: 3:38 one transaction
-- name: x :exec
BEGIN NOT ATOMIC UPDATE t SET a = 1; COMMIT; END;
