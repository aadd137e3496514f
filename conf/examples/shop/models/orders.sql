-- Orders, each of one user.

-- name: mine :many
SELECT id, total, created_at FROM orders WHERE user_id = :user.id ORDER BY id DESC LIMIT 50;

-- name: owned :one
-- For the guard: does this order belong to the user?
SELECT id FROM orders WHERE id = :id AND user_id = :user.id;

-- name: by_id :object
-- answer: order :one
SELECT id, total, created_at FROM orders WHERE id = :id;
-- answer: items :many
SELECT i.product_id, p.name, i.qty, i.price
  FROM order_items i JOIN products p ON p.id = i.product_id
 WHERE i.order_id = :id ORDER BY i.product_id;

-- name: place :one
-- Takes the stock and writes the order, or changes nothing.
-- param: items[] (1..100)
-- param: items[].product_id int(1..)
-- param: items[].qty int(1..99)
-- as: o
INSERT INTO orders (user_id, total) VALUES (:user.id, 0) RETURNING id;
-- each: items
-- expect: 1 else 409 "Out of stock"
UPDATE products SET stock = stock - :items[].qty
 WHERE id = :items[].product_id AND stock >= :items[].qty;
-- each: items
INSERT INTO order_items (order_id, product_id, qty, price)
SELECT :o.id, id, :items[].qty, price FROM products WHERE id = :items[].product_id;
UPDATE orders
   SET total = (SELECT SUM(qty * price) FROM order_items WHERE order_id = :o.id)
 WHERE id = :o.id;
SELECT id, total FROM orders WHERE id = :o.id;
