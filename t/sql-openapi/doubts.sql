-- Answers that are not what the columns of their tables promise.

-- name: united :many
SELECT id, name FROM products WHERE id = 1 UNION ALL VALUES (NULL, NULL);

-- name: largest :many
SELECT name, max(id) AS id FROM products WHERE id < 0;

-- name: quoted :many
SELECT name, max(id) AS id FROM products WHERE id < 0 AND name <> 'group by';

-- name: joined :many
SELECT p.id, t.tag FROM products p LEFT JOIN product_tags t ON t.product_id = p.id AND t.tag = 'none' WHERE p.id = 1;

-- name: inner :many
SELECT p.id, (SELECT t.tag FROM product_tags t WHERE t.tag = 'none') AS tag FROM products p WHERE p.id = 1;

-- name: echoed :many
-- param: q string
-- param: n int
-- param: x number
SELECT :q AS q, :n AS n, COALESCE(:q, id) AS either, COALESCE(:n, id) AS whole, price * :x AS product, id
  FROM products WHERE id <= 2;

-- name: none :one
-- expect: 0..1
SELECT id, name FROM products WHERE id = 0;

-- name: first :object
-- answer: found :one
SELECT id, name FROM products WHERE id = 1;
-- answer: missing :value
SELECT name FROM products WHERE id = 0;
-- answer: rows :many
SELECT id FROM products WHERE id = 0;

-- name: accepted :one
-- column: code status
-- column: name hidden
SELECT 202 AS code, id, name FROM products WHERE id = 1;

-- name: odd :many
SELECT id AS `a"b`, name AS `é` FROM products WHERE id = 1;

-- name: twice :many
SELECT id, id FROM products WHERE id = 1;

-- name: touch :exec
UPDATE products SET stock = stock WHERE id = 1;
