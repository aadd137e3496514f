-- expect-error: 3:39 64 bits
-- name: x :many
-- param: a int(..9223372036854775808)
SELECT :a;
