-- The shop's products. Prices are in cents.

-- name: list :object
-- A page of products with the number of all that match.
-- param: q string(1..80) optional
-- param: max_price int(0..) optional
-- param: tags string[] (0..10) optional
-- param: limit int(1..100) = 20
-- param: offset int(0..) = 0
-- order: sort newest = id DESC
-- order: sort price = price, id
-- order: sort name = name, id
-- answer: items :many
SELECT id, name, price, stock
  FROM products
 WHERE (:q IS NULL OR INSTR(LOWER(name), LOWER(:q)) > 0)
   AND (:max_price IS NULL OR price <= :max_price)
   AND (NOT :given.tags OR id IN (SELECT product_id FROM product_tags WHERE tag IN (:tags)))
 ORDER BY :sort
 LIMIT :limit OFFSET :offset;
-- answer: total :value
SELECT COUNT(*) AS total
  FROM products
 WHERE (:q IS NULL OR INSTR(LOWER(name), LOWER(:q)) > 0)
   AND (:max_price IS NULL OR price <= :max_price)
   AND (NOT :given.tags OR id IN (SELECT product_id FROM product_tags WHERE tag IN (:tags)));

-- name: by_id :object
-- One product with its tags.
-- answer: product :one
SELECT id, name, description, price, stock, created_at FROM products WHERE id = :id;
-- answer: tags :many
SELECT tag FROM product_tags WHERE product_id = :id ORDER BY tag;

-- name: create :one
-- A new product; the tags come as an array of strings.
-- param: name string(1..80)
-- param: description string(..2000) nullable = ""
-- param: price int(0..100000000)
-- param: stock int(0..1000000) = 0
-- param: tags string[] (0..10) optional
-- error: uniq_product_name 409 "A product of this name exists." name
-- error: products.name 409 "A product of this name exists." name
-- as: p
INSERT INTO products (name, description, price, stock)
VALUES (:name, :description, :price, :stock) RETURNING id;
-- each: tags
INSERT INTO product_tags (product_id, tag) VALUES (:p.id, :tags[]);
SELECT id, name, price, stock FROM products WHERE id = :p.id;

-- name: change :one
-- Changes what was sent and leaves the rest.
-- param: name string(1..80) optional
-- param: description string(..2000) optional nullable
-- param: price int(0..100000000) optional
-- param: stock int(0..1000000) optional
-- error: uniq_product_name 409 "A product of this name exists." name
-- error: products.name 409 "A product of this name exists." name
-- expect: 1
UPDATE products
   SET name        = CASE WHEN :given.name THEN :name ELSE name END,
       description = CASE WHEN :given.description THEN :description ELSE description END,
       price       = CASE WHEN :given.price THEN :price ELSE price END,
       stock       = CASE WHEN :given.stock THEN :stock ELSE stock END
 WHERE id = :id;
SELECT id, name, description, price, stock FROM products WHERE id = :id;

-- name: remove :exec
-- expect: 1
DELETE FROM products WHERE id = :id;
