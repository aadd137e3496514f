-- expect-error: 2:17 not expected
-- name: a :one :many
SELECT 1;
