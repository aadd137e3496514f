-- expect-error: 3:24 not closed
-- name: x :many
-- order: sort price = f(price
SELECT a FROM t ORDER BY :sort;
