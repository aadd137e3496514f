-- expect-error: 3:11 nothing uses
-- name: x :many
-- param: a int
SELECT 1;
