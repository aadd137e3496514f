-- name: list :many
-- param: q string(0..40) optional
SELECT id, name FROM products WHERE :q IS NULL OR name = :q;

-- name: by_id :one
SELECT id, name FROM products WHERE id = :id;

