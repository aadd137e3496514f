-- name: by_key :one
SELECT id FROM products WHERE name = :key;
