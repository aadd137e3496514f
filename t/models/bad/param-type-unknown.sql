-- expect-error: 3:13 needs a type
-- name: x :many
-- param: a integer
SELECT :a;
