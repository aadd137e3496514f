-- name: place :one
-- param: title string(1..40)
-- param: slow int(0..20000000) = 0
-- as: made
INSERT INTO keyed (title) VALUES (:title);
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < :slow)
    SELECT COUNT(*) AS steps FROM c;
INSERT INTO keyed_log (keyed_id) VALUES (:made.insert_id);
SELECT id, title FROM keyed WHERE id = :made.insert_id;

-- name: refuse :one
-- param: title string(1..40)
INSERT INTO keyed (title) VALUES (:title);
-- expect: 1 else 409 "Out of stock"
SELECT 1 AS one FROM keyed WHERE id < 0;

-- name: add :exec
-- param: title string(1..40)
INSERT INTO keyed (title) VALUES (:title);

-- name: list :many
SELECT id FROM keyed ORDER BY id;
