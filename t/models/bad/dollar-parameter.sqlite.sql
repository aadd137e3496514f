-- expect-error: 3:8 SQLite
-- name: x :many
SELECT $a;
