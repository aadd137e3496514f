-- expect-error: 3:22 a source is
-- name: x :many
-- param: a int from form
SELECT :a;
