-- name: by_id :one
SELECT 'x' AS secret FROM products WHERE name = :signed.nothing;
