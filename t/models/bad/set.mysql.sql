-- expect-error: 3:1 session settings
-- name: x :exec
SET sql_mode = '';
