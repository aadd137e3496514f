-- A model that the database refuses.

-- name: cost :one
SELECT id, cost FROM products WHERE id = :id;
