-- expect-error: 3:11 needs a name
-- name: x :many
-- param: 1a int
SELECT :a;
