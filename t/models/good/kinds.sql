-- name: one :one
-- column: code status
WITH x AS (SELECT 1 AS a), y(b) AS (VALUES (2)) SELECT a, 200 AS code FROM x;
-- name: many :many
(SELECT 1) UNION (SELECT 2)
-- name: exec :exec
DELETE FROM t WHERE id = :id;;
-- name: affected :affected
-- param: ids int[]
-- each: ids[]
INSERT INTO t (a) VALUES (:ids[]);
-- name: object :object
-- TODO: prose with a capital word and a colon
-- column: items.price string
-- answer: items :many
SELECT price FROM t ORDER BY (SELECT MAX(b) FROM u), c;
-- as: s
-- answer: first :one
-- expect: 0..1
SELECT id FROM t LIMIT 1;
-- answer: total :value
SELECT COUNT(*), :s.id, :s.insert_id, :s.affected FROM t
 WHERE id IN (SELECT id FROM (SELECT id FROM t ORDER BY id LIMIT 5) z WHERE id > :id);
-- name: returning :one
-- expect: 1.. else 422 "Nothing"
DELETE FROM t WHERE id = :id RETURNING id;
-- name: columns-named-as-verbs :many
SELECT t.into, t.returning, t.commit FROM t WHERE t.by = :id;
