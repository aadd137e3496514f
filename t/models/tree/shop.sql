-- name: by_id :one
SELECT 1 AS id;
-- name: list :many
SELECT 1 AS id;
