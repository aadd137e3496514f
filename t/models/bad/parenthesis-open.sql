-- expect-error: 3:1 inside a parenthesis
-- name: x :many
SELECT (1;
