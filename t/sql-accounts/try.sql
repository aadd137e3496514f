-- What the tests of conf/examples/accounts need beside its own models.

-- name: expire :exec
-- param: name string
-- param: what string in(sessions,kli,mrpc)
UPDATE sessions SET expires = :now.unix
 WHERE :what = 'sessions' AND account_id = (SELECT id FROM accounts WHERE name = :name);
UPDATE kli SET expires = :now.unix
 WHERE :what = 'kli' AND account_id = (SELECT id FROM accounts WHERE name = :name);
UPDATE mrpc_sessions SET expires = :now.unix
 WHERE :what = 'mrpc' AND account_id = (SELECT id FROM accounts WHERE name = :name);

-- name: rows :one
SELECT (SELECT COUNT(*) FROM sessions s WHERE s.account_id = a.id) AS sessions,
       (SELECT COUNT(*) FROM kli k WHERE k.account_id = a.id) AS kli,
       (SELECT COUNT(*) FROM mrpc_seeds m WHERE m.account_id = a.id) AS seeds
  FROM accounts a WHERE a.name = :name;

-- name: rename :one
-- param: name string(..40)
UPDATE accounts SET name = :name WHERE id = :id;
SELECT name FROM accounts WHERE id = :id;
