-- name: short :one
SELECT SLEEP(0.05) AS slept;

-- name: long :one
SELECT SLEEP(0.2) AS slept;
