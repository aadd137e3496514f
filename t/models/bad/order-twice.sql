-- expect-error: 4:1 already
-- name: x :many
-- order: sort price = price
-- order: sort price = id
SELECT a FROM t ORDER BY :sort;
