-- expect-error: 3:11 always there
-- name: x :many
-- param: a int optional from path
SELECT :a;
