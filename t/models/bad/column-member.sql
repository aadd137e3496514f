-- expect-error: 3:12 an :object
-- name: x :many
-- column: a.b bool
SELECT a FROM t;
