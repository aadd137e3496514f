-- expect-error: 3:26 optional
-- name: x :many
-- param: a string = null
SELECT :a;
