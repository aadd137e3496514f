-- expect-error: 3:1 locks
-- name: x :exec
LOCK TABLES t WRITE;
