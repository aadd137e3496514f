-- expect-error: 3:1 structure
-- name: x :exec
CREATE TEMPORARY TABLE t (a INT);
