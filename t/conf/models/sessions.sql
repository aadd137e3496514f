-- name: by_token :one
-- param: token string(1..64) from header.x_token
SELECT user_id AS id FROM sessions WHERE token = :token;

-- name: all :many
SELECT user_id FROM sessions;

-- name: owned :one
SELECT id FROM products WHERE id = :id AND owner = :user.id;
