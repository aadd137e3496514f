-- expect-error: 3:33 one source
-- name: x :many
-- param: a int from query from body
SELECT :a;
