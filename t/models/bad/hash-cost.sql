-- expect-error: 3:34 from 4 to 31
-- name: x :many
-- param: a string hash(bcrypt:99)
SELECT :a;
