-- expect-error: 3:25 a hash is
-- name: x :many
-- param: a string hash(md5)
SELECT :a;
