-- expect-error: 3:11 query or the body
-- name: x :many
-- param: a int[] from cookie.a
SELECT 1 IN (:a);
