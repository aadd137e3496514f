-- name: by_id :one
SELECT 'x' AS secret, id AS product FROM products WHERE name = :signed.keyid;
