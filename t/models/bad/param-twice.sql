-- expect-error: 4:11 declared already
-- name: x :many
-- param: a int
-- param: a int
SELECT :a;
