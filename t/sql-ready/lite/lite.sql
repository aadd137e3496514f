-- name: one :one
SELECT 1 AS one;

-- name: none :one
SELECT 1 AS one WHERE 1 = 0;

-- name: someone :one
SELECT 7 AS id;

-- name: rows :many
-- param: n int(0..1000)
WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :n)
SELECT n, 'row' AS is_a FROM counted;
