-- The accounts over mouse-php's envelope. A token signs here: it is stored as it is, and an
-- account has one at a time, because a request names its key by user_id alone.

-- name: token :one
-- For the guards session and renewal: this user's key.
-- param: user_id int
SELECT token, expires <= :now.unix AS expired FROM mrpc_sessions WHERE account_id = :user_id;

-- name: seed :exec
-- Kept as long as the session: the foreign key removes both together.
-- param: user_id int
-- param: seed string
INSERT INTO mrpc_seeds (account_id, seed)
SELECT account_id, :seed FROM mrpc_sessions WHERE account_id = :user_id;

-- name: by_username :one
-- param: username string(3..40) match(/^[a-z0-9._-]+$/)
SELECT id, password_hash AS hash FROM accounts WHERE name = :username;

-- name: own :one
SELECT password_hash AS hash FROM accounts WHERE id = :session.user_id;

-- name: register :one
-- param: username string(3..40) match(/^[a-z0-9._-]+$/)
-- param: password string(8..200) hash(yescrypt)
-- error: uniq_account_name 409 "User Already Exists." username
-- error: accounts.name 409 "User Already Exists." username
INSERT INTO accounts (name, password_hash) VALUES (:username, :password)
RETURNING id AS user_id, name AS username;

-- name: login :one
-- A new token in the old one's place; the old one's seeds go with it.
-- let: token = random.hex32
-- let: kli = random.hex32
-- let: kli_hash = kli hash(sha256)
-- column: kli hidden
-- expect: 1 else 401
UPDATE accounts SET last_login = :now.unix
 WHERE id = :mrpc_account.id AND password_hash = :mrpc_account.hash;
DELETE FROM mrpc_sessions WHERE account_id = :mrpc_account.id;
INSERT INTO mrpc_sessions (account_id, token, expires)
VALUES (:mrpc_account.id, :token, :now.unix + 600);
DELETE FROM kli WHERE account_id = :mrpc_account.id AND expires <= :now.unix;
INSERT INTO kli (hash, account_id, expires) VALUES (:kli_hash, :mrpc_account.id, :now.unix + 2592000);
SELECT a.id AS user_id, a.name AS username, a.created_at AS join_date, s.token,
       :kli AS kli
  FROM accounts a JOIN mrpc_sessions s ON s.account_id = a.id WHERE a.id = :mrpc_account.id;

-- name: reload :one
-- The token as it is while it lives, else a new one; and a new cookie.
-- let: token = random.hex32
-- let: kli = random.hex32
-- let: kli_hash = kli hash(sha256)
-- column: kli hidden
UPDATE accounts SET last_login = :now.unix WHERE id = :kept.id;
-- expect: 1 else 401
UPDATE kli SET hash = :kli_hash, expires = :now.unix + 2592000 WHERE hash = :kept.hash;
DELETE FROM mrpc_sessions WHERE account_id = :kept.id AND expires <= :now.unix;
INSERT INTO mrpc_sessions (account_id, token, expires)
SELECT id, :token, :now.unix + 600 FROM accounts
 WHERE id = :kept.id AND NOT EXISTS (SELECT 1 FROM mrpc_sessions WHERE account_id = :kept.id);
SELECT a.id AS user_id, a.name AS username, a.created_at AS join_date, s.token,
       :kli AS kli
  FROM accounts a JOIN mrpc_sessions s ON s.account_id = a.id WHERE a.id = :kept.id;

-- name: refresh :one
-- Signed with the old token, expired or not, and with the cookie of the same account.
-- let: token = random.hex32
-- expect: 1 else 401
DELETE FROM mrpc_sessions WHERE account_id = :renewal.user_id AND account_id = :kept.id;
INSERT INTO mrpc_sessions (account_id, token, expires)
VALUES (:kept.id, :token, :now.unix + 600);
SELECT :token AS token;

-- name: me :one
SELECT id AS user_id, name AS username, created_at AS join_date
  FROM accounts WHERE id = :session.user_id;

-- name: change_password :one
-- param: password string(8..200) hash(yescrypt)
-- let: kli = random.hex32
-- let: kli_hash = kli hash(sha256)
-- column: kli hidden
-- expect: 1 else 409 "The password has just been changed."
UPDATE accounts SET password_hash = :password
 WHERE id = :session.user_id AND password_hash = :mrpc_mine.hash;
DELETE FROM sessions WHERE account_id = :session.user_id;
DELETE FROM kli WHERE account_id = :session.user_id;
INSERT INTO kli (hash, account_id, expires)
VALUES (:kli_hash, :session.user_id, :now.unix + 2592000);
SELECT 'Password changed.' AS response, :kli AS kli;

-- name: logout :one
DELETE FROM kli WHERE account_id = :session.user_id;
DELETE FROM mrpc_sessions WHERE account_id = :session.user_id;
SELECT 'Logged out successfully.' AS response;
