-- orders.sql
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
INSERT INTO order_items SELECT :o.id, id, :items[].qty, price
  FROM products WHERE id = :items[].product_id;
UPDATE orders SET total = (SELECT SUM(qty*price) FROM order_items WHERE order_id = :o.id) WHERE id = :o.id;
SELECT id, total FROM orders WHERE id = :o.id;
