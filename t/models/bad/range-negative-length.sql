-- expect-error: 3:26 begin at 0
-- name: x :many
-- param: a string(-1..2)
SELECT :a;
