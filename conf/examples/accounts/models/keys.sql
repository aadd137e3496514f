-- Keys for programs, which live until they are removed.

-- name: create :one
-- The key is told this once.
-- param: label string(1..80)
-- let: key = random.hex32
-- let: key_hash = key hash(sha256)
-- as: k
INSERT INTO api_keys (key_hash, account_id, label) VALUES (:key_hash, :user.id, :label);
SELECT id, label, :key AS api_key FROM api_keys WHERE id = :k.insert_id;

-- name: list :many
SELECT id, label FROM api_keys WHERE account_id = :user.id ORDER BY id;

-- name: remove :exec
-- expect: 1
DELETE FROM api_keys WHERE id = :id AND account_id = :user.id;

-- name: caller :one
-- For the guard caller: a session's token or a key, whichever was sent; both are no row or two.
-- let: token_hash = any_token.value hash(sha256)
-- let: key_hash = key.value hash(sha256)
SELECT account_id AS id FROM sessions WHERE token_hash = :token_hash AND expires > :now.unix
UNION ALL
SELECT account_id FROM api_keys WHERE key_hash = :key_hash;

-- name: whoami :one
SELECT id, name FROM accounts WHERE id = :caller.id;
