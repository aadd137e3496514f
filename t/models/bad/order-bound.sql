-- expect-error: 3:31 columns and expressions
-- name: x :many
-- order: sort price = price, :p
SELECT a FROM t ORDER BY :sort;
