-- name: crlf :one
-- A summary.
-- param: a int = 1
SELECT :a;
