-- expect-error: 3:14 a column is
-- name: x :many
-- column: a text
SELECT a FROM t;
