-- expect-error: 4:34 bound value in ORDER BY
-- name: x :many
-- param: a string
SELECT a FROM t ORDER BY b, (a = :a) DESC;
