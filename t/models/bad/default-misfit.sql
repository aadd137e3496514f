-- expect-error: 3:11 does not fit
-- name: x :many
-- param: a int(1..9) = 10
SELECT :a;
