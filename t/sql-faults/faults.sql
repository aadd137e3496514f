-- name: item :one
SELECT * FROM items WHERE id = :id;

-- name: sleep :one
-- param: seconds number(0..10)
SELECT SLEEP(:seconds) AS slept;

-- name: wide :one
SELECT REPEAT('x', 12000000) AS filler;

-- name: move :exec
-- Two rows one after the other: two of these in opposite order must meet.
-- param: source int
-- param: target int
-- expect: 1
UPDATE accounts SET amount = amount - 1 WHERE id = :source;
SELECT SLEEP(0.5);
-- expect: 1
UPDATE accounts SET amount = amount + 1 WHERE id = :target;
