-- expect-error: 3:25 is not known here
-- name: x :many
-- param: a int required
SELECT :a;
