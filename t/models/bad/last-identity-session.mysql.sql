-- expect-error: 3:8 RETURNING
-- name: x :many
SELECT @@session.last_insert_id;
