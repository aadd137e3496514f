-- name: place :one
-- param: title string(1..40)
-- param: slow number(0..10) = 0
-- as: made
INSERT INTO keyed (title) VALUES (:title);
SELECT SLEEP(:slow) AS steps;
INSERT INTO keyed_log (keyed_id) VALUES (:made.insert_id);
SELECT id, title FROM keyed WHERE id = :made.insert_id;

-- name: refuse :one
-- param: title string(1..40)
INSERT INTO keyed (title) VALUES (:title);
SELECT SLEEP(0.1) AS steps;
-- expect: 1 else 409 "Out of stock"
SELECT 1 AS one FROM keyed WHERE id < 0;

-- name: add :exec
-- param: title string(1..40)
INSERT INTO keyed (title) VALUES (:title);

-- name: list :many
SELECT id FROM keyed ORDER BY id;
