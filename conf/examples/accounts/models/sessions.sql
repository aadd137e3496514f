-- Sessions of an hour, and the cookie of 30 days that opens a new one. Both are 32 random
-- bytes of which the database knows the SHA-256 alone.

-- name: by_token :one
-- For the guard user: who is calling?
-- let: hash = token.value hash(sha256)
SELECT account_id AS id, token_hash AS session, kli_hash AS kli
  FROM sessions WHERE token_hash = :hash AND expires > :now.unix;

-- name: by_cookie :one
-- For the guard kept: whose cookie is this?
-- param: kli string(64..64) from cookie.kli hash(sha256)
SELECT account_id AS id, hash FROM kli WHERE hash = :kli AND expires > :now.unix;

-- name: open :one
-- A session for whoever the guards account and secret let pass; with `remember` a cookie, too.
-- param: remember bool = false
-- let: token = random.hex32
-- let: token_hash = token hash(sha256)
-- let: kli = random.hex32
-- let: kli_hash = kli hash(sha256)
-- column: kli hidden
-- expect: 1 else 401
UPDATE accounts SET last_login = :now.unix
 WHERE id = :account.id AND password_hash = :account.hash;
DELETE FROM sessions WHERE account_id = :account.id AND expires <= :now.unix;
DELETE FROM kli WHERE account_id = :account.id AND expires <= :now.unix;
INSERT INTO kli (hash, account_id, expires)
SELECT :kli_hash, id, :now.unix + 2592000 FROM accounts WHERE id = :account.id AND :remember;
INSERT INTO sessions (token_hash, account_id, kli_hash, expires)
VALUES (:token_hash, :account.id, CASE WHEN :remember THEN :kli_hash END, :now.unix + 3600);
SELECT :token AS token, 3600 AS expires_in, CASE WHEN :remember THEN :kli END AS kli;

-- name: reload :one
-- A session for the cookie's account. The cookie is good for once: it gets a new value.
-- let: token = random.hex32
-- let: token_hash = token hash(sha256)
-- let: kli = random.hex32
-- let: kli_hash = kli hash(sha256)
-- column: kli hidden
UPDATE accounts SET last_login = :now.unix WHERE id = :kept.id;
-- expect: 1 else 401
UPDATE kli SET hash = :kli_hash, expires = :now.unix + 2592000 WHERE hash = :kept.hash;
DELETE FROM sessions WHERE account_id = :kept.id AND expires <= :now.unix;
INSERT INTO sessions (token_hash, account_id, kli_hash, expires)
VALUES (:token_hash, :kept.id, :kli_hash, :now.unix + 3600);
SELECT :token AS token, 3600 AS expires_in, :kli AS kli;

-- name: refresh :one
-- The session goes on for an hour, under a new token.
-- let: token = random.hex32
-- let: token_hash = token hash(sha256)
-- expect: 1 else 401
UPDATE sessions SET token_hash = :token_hash, expires = :now.unix + 3600
 WHERE token_hash = :user.session;
SELECT :token AS token, 3600 AS expires_in;

-- name: close :exec
-- What the token or the cookie stands for, and what else that cookie has opened. Neither need
-- be good any more: who has them may end them.
-- param: kli string optional from cookie.kli hash(sha256)
-- let: hash = any_token.value hash(sha256)
DELETE FROM kli
 WHERE hash = :kli OR hash = (SELECT kli_hash FROM sessions WHERE token_hash = :hash);
DELETE FROM sessions WHERE token_hash = :hash;
