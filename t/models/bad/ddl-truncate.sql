-- expect-error: 3:1 structure
-- name: x :exec
TRUNCATE t;
