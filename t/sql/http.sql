-- name: echo :one
-- param: i int optional
-- param: n number optional
-- param: s string(..40) optional
-- param: b bool optional
-- param: d date optional
-- param: t datetime optional
-- param: page int(1..) = 1
-- column: b bool
SELECT :i AS i, :n AS n, :s AS s, :b AS b, :d AS d, :t AS t, :page AS page, :given.s AS g;

-- name: by_ids :many
-- param: ids int[] (0..50)
SELECT id, name FROM products WHERE id IN (:ids) ORDER BY id;

-- name: many :many
SELECT id, name, description FROM products WHERE id <= 3 ORDER BY id;

-- name: one :one
SELECT id FROM products WHERE id = :id;

-- name: add_note :one
-- param: title string(1..20)
-- param: n int(0..100) = 1
-- as: x
INSERT INTO notes (title, n) VALUES (:title, :n) RETURNING id;
SELECT id, title, n FROM notes WHERE id = :x.id;

-- name: change_note :one
-- param: title string(1..20) optional nullable
-- error: notes.title 422 "A note must have a title." title
-- error: title 422 "A note must have a title." title
-- expect: 1
UPDATE notes SET title = CASE WHEN :given.title THEN :title ELSE title END WHERE id = :id;
SELECT id, title, n FROM notes WHERE id = :id;

-- name: note :one
SELECT id, title, n FROM notes WHERE id = :id;

-- name: drop_note :exec
-- expect: 1
DELETE FROM notes WHERE id = :id;

-- name: set_n :affected
-- param: n int
UPDATE notes SET n = :n WHERE id = :id;

-- name: big :many
WITH RECURSIVE seq (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < 900)
SELECT n, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' AS filler FROM seq;

-- name: huge :many
SELECT a.id, '0123456789012345678901234567890123456789012345678901234567890123456789' AS filler
  FROM products a, numbers b, numbers c, numbers d, numbers e, numbers f;
