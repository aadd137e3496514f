-- expect-error: 3:20 allows everything
-- name: x :many
-- param: a int(..)
SELECT :a;
