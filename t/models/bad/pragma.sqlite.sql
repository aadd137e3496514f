-- expect-error: 3:1 session settings
-- name: x :exec
PRAGMA foreign_keys = OFF;
