-- expect-error: 3:1 structure
-- name: x :exec
RENAME TABLE a TO b;
