-- expect-error: 4:12 has a rule
-- name: x :many
-- column: a bool
-- column: a hidden
SELECT a FROM t;
