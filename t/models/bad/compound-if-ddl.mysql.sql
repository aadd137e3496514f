-- expect-error: 3:28 structure
-- name: x :exec
BEGIN NOT ATOMIC IF 1 THEN DROP TABLE t; END IF; END;
