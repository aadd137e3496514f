-- expect-error: 3:22 a range is
-- name: x :many
-- param: a string(40)
SELECT :a;
