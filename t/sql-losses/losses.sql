-- name: sleep :one
-- param: seconds number(0..10)
SELECT SLEEP(:seconds) AS slept;

-- name: touch :affected
UPDATE products SET stock = stock + 1 WHERE id = :id;
