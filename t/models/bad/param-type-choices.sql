-- expect-error: 3:13 'a' needs a type before in(..), as 'string in(new,paid)'
-- name: x :many
-- param: a in(b,c)
SELECT :a;
