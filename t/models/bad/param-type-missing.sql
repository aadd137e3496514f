-- expect-error: 3:12 needs a type
-- name: x :many
-- param: a
SELECT :a;
