-- expect-error: 4:26 bound value in ORDER BY
-- name: x :many
-- param: a string
SELECT a FROM t ORDER BY :a LIMIT 1;
