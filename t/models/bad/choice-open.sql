-- expect-error: 3:23 close in(
-- name: x :many
-- param: a int in(1,2
SELECT :a;
