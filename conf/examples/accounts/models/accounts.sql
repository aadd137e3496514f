-- Who has an account. Names are lower case, so that no two of them look alike to a database.

-- name: register :one
-- param: name string(3..40) match(/^[a-z0-9._-]+$/)
-- param: password string(8..200) hash(yescrypt)
-- error: uniq_account_name 409 "This name is taken." name
-- error: accounts.name 409 "This name is taken." name
INSERT INTO accounts (name, password_hash) VALUES (:name, :password)
RETURNING id, name, created_at;

-- name: by_name :one
-- For the guard account: whose password is asked for?
-- param: name string(3..40) match(/^[a-z0-9._-]+$/)
SELECT id, password_hash AS hash FROM accounts WHERE name = :name;

-- name: own :one
-- For the guard mine: the password's hash of whoever is logged in.
SELECT password_hash AS hash FROM accounts WHERE id = :user.id;

-- name: me :one
SELECT id, name, created_at FROM accounts WHERE id = :user.id;

-- name: change_password :exec
-- All other sessions end, and every cookie but this session's.
-- param: password string(8..200) hash(yescrypt)
-- expect: 1 else 409 "The password has just been changed."
UPDATE accounts SET password_hash = :password WHERE id = :user.id AND password_hash = :mine.hash;
DELETE FROM kli WHERE account_id = :user.id AND hash <> COALESCE(:user.kli, '');
DELETE FROM sessions WHERE account_id = :user.id AND token_hash <> :user.session;
DELETE FROM mrpc_sessions WHERE account_id = :user.id;
