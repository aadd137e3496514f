-- Who is calling. Tokens are stored as their SHA-256 alone.

-- name: by_token :one
-- param: token string(1..200) from header.x_session hash(sha256)
SELECT u.id, u.name FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = :token;
