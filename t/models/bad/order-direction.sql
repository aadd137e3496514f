-- expect-error: 4:26 write it alone
-- name: x :many
-- order: sort price = price
SELECT a FROM t ORDER BY :sort DESC;
