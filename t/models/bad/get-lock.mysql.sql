-- expect-error: 3:8 locks
-- name: x :many
SELECT GET_LOCK('a', 1);
