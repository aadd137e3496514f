-- For t/http/openapi_once.t, which makes the table.
-- name: titles :many
SELECT id, title FROM once;
