-- name: token :one
-- param: user_id int
SELECT token, expired, name FROM mrpc_tokens WHERE user_id = :user_id;

-- name: seed :exec
-- param: user_id int
-- param: seed string
INSERT INTO mrpc_seeds (user_id, seed) VALUES (:user_id, :seed);

-- name: echo :one
-- param: title string(1..20)
SELECT :title AS title, :mrpc.user_id AS user_id, :mrpc.name AS name;

-- name: nothing :exec
-- param: title string optional
DELETE FROM mrpc_tokens WHERE user_id = -1 AND :title IS NOT NULL;

-- name: many :many
SELECT user_id, name FROM mrpc_tokens WHERE user_id IN (7, 8) ORDER BY user_id;
