-- What t/http/coalesce.t asks for; the same on both databases, but for the slow one.
-- name: own :one
SELECT client, n FROM shared WHERE client = :client;

-- name: all :many
SELECT client, n FROM shared WHERE :header.x_user IS NOT NULL ORDER BY client;

-- name: set :exec
-- param: n int
-- expect: 1
UPDATE shared SET n = :n WHERE client = :client;

-- name: slow :one
-- param: seconds number(0..10)
-- column: tag hidden
SELECT n, 'a' AS tag, :seconds AS slept FROM shared WHERE client = 0;

-- name: whoami :one
SELECT CAST(:header.x_user AS CHAR(20)) AS who, n FROM shared WHERE client = 0;
