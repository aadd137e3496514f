-- expect-error: 3:13 'a' needs a type, and 'integer' is none
-- name: x :many
-- param: a integer
SELECT :a;
