-- name: list :many
-- param: q string(0..40) optional
SELECT id, name FROM products WHERE :q IS NULL OR name = :q;

-- name: by_id :one
SELECT id, name FROM products WHERE id = :id;

-- name: add :one
-- param: name string(1..40)
INSERT INTO products (name) VALUES (:name) RETURNING id, name;

-- name: mine :many
SELECT id, name FROM products WHERE owner = :user.id;
