-- expect-error: 3:21 -- order: sort
-- name: x :many
-- order: sort price
SELECT a FROM t ORDER BY :sort;
