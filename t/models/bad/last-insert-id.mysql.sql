-- expect-error: 3:8 RETURNING
-- name: x :many
SELECT LAST_INSERT_ID();
