-- expect-error: 3:1 structure
-- name: x :exec
ALTER TABLE t ADD b INT;
