-- expect-error: 3:8 has no field
-- name: x :many
SELECT :request.host;
