-- expect-error: 3:11 is for string
-- name: x :many
-- param: a int hash(sha256)
SELECT :a;
