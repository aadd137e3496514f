-- expect-error: 2:1 before the first
-- param: a int
-- name: x :many
SELECT 1;
