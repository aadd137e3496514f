-- expect-error: 3:11 has no default
-- name: x :many
-- param: a int[] = 1
SELECT 1 IN (:a);
