-- name: one :one
SELECT 1 AS one;
