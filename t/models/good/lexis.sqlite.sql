-- name: quotes :many
SELECT ':a\', ":b;""\", `c:;``d`, [e:f;'], x'3A' --no blank needed; :g
     , 4 --5
     , 6 - -:n, a->>'$.x' FROM t;
-- name: upsert :one
WITH v(a) AS (VALUES (1)) INSERT INTO t SELECT a FROM v WHERE true
ON CONFLICT (a) DO UPDATE SET a = excluded.a RETURNING a;
-- name: with_delete :exec
WITH v AS (SELECT 1 AS id) DELETE FROM t WHERE id IN (SELECT id FROM v);
-- name: plain_comment :many
SELECT 1 /*! no meaning here */;
