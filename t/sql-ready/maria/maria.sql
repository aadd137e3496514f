-- name: sleep :one
SELECT SLEEP(2) AS slept;
