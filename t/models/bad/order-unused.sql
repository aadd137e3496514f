-- expect-error: 3:11 nothing uses
-- name: x :many
-- order: sort price = price
SELECT a FROM t;
