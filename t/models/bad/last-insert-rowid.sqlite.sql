-- expect-error: 3:8 RETURNING
-- name: x :many
SELECT last_insert_rowid();
