-- expect-error: 3:24 for strings
-- name: x :many
-- param: a int match(/1/)
SELECT :a;
