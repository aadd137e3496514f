-- The models that the parts name, each behind its file's name. What a page shows of the same
-- name takes their place.
-- accounts
-- name: by_name :one
-- param: name string(1..80)
SELECT id, password_hash AS hash FROM accounts WHERE name = :name;
-- audit
-- name: list :many
SELECT id FROM audit ORDER BY id LIMIT 50;
-- clients
-- name: by_key :one
-- let: hash = key.value hash(sha256)
SELECT id FROM clients WHERE key_hash = :hash;
-- mrpc
-- name: token :one
-- param: user_id int
SELECT token FROM sessions WHERE user_id = :user_id;
-- name: seed :exec
-- param: user_id int
-- param: seed string
INSERT INTO seeds (user_id, seed) VALUES (:user_id, :seed);
-- orders
-- name: mine :many
SELECT id, total FROM orders ORDER BY id LIMIT 50;
-- name: all :many
SELECT id, total FROM orders ORDER BY id LIMIT 50;
-- name: by_id :one
SELECT id, total FROM orders WHERE id = :id;
-- name: owned :one
SELECT id FROM orders WHERE id = :id;
-- name: place :one
-- param: total int
INSERT INTO orders (total) VALUES (:total) RETURNING id;
-- name: add :exec
-- param: total int
INSERT INTO orders (total) VALUES (:total);
-- payments
-- name: note :exec
INSERT INTO payments (noted) VALUES (:now.unix);
-- prices
-- name: list :many
SELECT id, price FROM products ORDER BY id LIMIT 50;
-- products
-- name: by_id :one
SELECT id, name FROM products WHERE id = :id;
-- name: list :many
SELECT id, name FROM products ORDER BY id LIMIT 50;
-- sessions
-- name: by_token :one
-- param: token string(1..200) from header.x_session hash(sha256)
SELECT id, role FROM sessions WHERE token_hash = :token;
-- name: by_cookie :one
-- param: token string(1..200) from cookie.sid hash(sha256)
SELECT id FROM sessions WHERE token_hash = :token;
-- name: open :one
INSERT INTO sessions (user_id) VALUES (:account.id) RETURNING id;
-- name: remove :exec
DELETE FROM sessions WHERE user_id = :session.user_id;
-- users
-- name: login :one
-- let: token = random.hex32
INSERT INTO sessions (token) VALUES (:token) RETURNING token;
-- name: remove :exec
DELETE FROM users WHERE id = :id;
