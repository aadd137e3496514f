-- expect-error: 4:8 write it alone
-- name: x :many
-- order: sort price = price
SELECT :sort FROM t;
