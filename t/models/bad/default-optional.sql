-- expect-error: 3:11 exclude each other
-- name: x :many
-- param: a int optional = 1
SELECT :a;
