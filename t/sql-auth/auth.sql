-- name: who :one
SELECT :request.user AS user, :env.TENANT AS tenant;

-- name: member :one
SELECT 1 AS yes WHERE :request.user IN ('ann');
