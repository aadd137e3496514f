-- expect-error: 3:29 columns and expressions
-- name: x :many
-- order: sort price = price; DROP TABLE t
SELECT a FROM t ORDER BY :sort;
