-- name: a :many
SELECT 'a\\'';', "\"";
