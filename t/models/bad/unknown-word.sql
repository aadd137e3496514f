-- expect-error: 3:1 is no code comment
-- name: x :many
-- parm: a int
SELECT :a;
