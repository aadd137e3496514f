-- expect-error: 3:28 name it
-- name: x :many
-- param: a int from header
SELECT :a;
