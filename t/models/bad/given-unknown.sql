-- expect-error: 3:8 no parameter
-- name: x :many
SELECT :given.a;
