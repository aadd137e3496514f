-- expect-error: 3:22 is empty
-- name: x :many
-- param: a int(9..1)
SELECT :a;
