-- expect-error: 3:20 needs a :one
-- name: x :many
-- column: a status
SELECT a FROM t;
