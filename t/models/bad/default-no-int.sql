-- expect-error: 3:11 does not fit
-- name: x :many
-- param: a int = many
SELECT :a;
