-- expect-error: 3:33 session settings
-- name: x :exec
BEGIN NOT ATOMIC DECLARE a INT; SET a = 1, autocommit = 0; END;
