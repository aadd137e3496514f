-- expect-error: 3:11 does not fit
-- name: x :many
-- param: a string in(b,c) = d
SELECT :a;
