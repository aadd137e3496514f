-- expect-error: 3:18 stands behind
-- name: x :many
-- param: a int =
SELECT :a;
