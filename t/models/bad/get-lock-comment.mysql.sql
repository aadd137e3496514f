-- expect-error: 3:8 locks
-- name: x :many
SELECT get_lock/**/('a', 1);
