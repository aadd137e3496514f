-- name: list :many
SELECT 1 AS id;
