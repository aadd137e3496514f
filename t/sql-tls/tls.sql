-- name: cipher :one
SELECT VARIABLE_VALUE AS cipher FROM information_schema.session_status
 WHERE VARIABLE_NAME = 'Ssl_cipher';

-- name: sleep :one
SELECT SLEEP(60) AS slept;

-- name: long :one
SELECT REPEAT('x', 3000000) AS text;

-- name: length :one
-- param: text string(0..8000000)
SELECT LENGTH(:text) AS bytes;
