-- name: bom :one
SELECT 1;
