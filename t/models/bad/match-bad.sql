-- expect-error: 3:27 does not compile
-- name: x :many
-- param: a string match(/(/)
SELECT :a;
