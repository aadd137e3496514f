-- expect-error: 3:27 close the pattern
-- name: x :many
-- param: a string match(/x)
SELECT :a;
