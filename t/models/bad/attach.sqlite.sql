-- expect-error: 3:1 session settings
-- name: x :exec
ATTACH 'x' AS x;
