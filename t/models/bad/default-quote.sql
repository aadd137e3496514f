-- expect-error: 3:22 quote has no end
-- name: x :many
-- param: a string = "x
SELECT :a;
