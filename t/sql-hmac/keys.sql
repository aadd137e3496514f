-- Keys of the guard hmac, for t/http/hmac.t.
-- name: by_id :one
SELECT secret, user_id FROM hmac_keys WHERE key_id = :signed.keyid;

-- name: bytes :one
SELECT bytes AS secret, user_id FROM hmac_keys WHERE key_id = :bytes.keyid;

-- name: me :one
SELECT key_id, user_id FROM hmac_keys WHERE user_id = :signed.user_id;
