-- name: sleep :one
-- param: seconds number(0..10)
SELECT SLEEP(:seconds) AS slept;

-- name: add :exec
-- param: title string(1..20)
-- expect: 1
INSERT INTO notes (title, n) VALUES (:title, 1);

-- name: touch :affected
UPDATE products SET stock = stock + 1 WHERE id = :id;
