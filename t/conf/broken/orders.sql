-- name: list :many
-- parm: id int
SELECT id FROM orders WHERE id = :id;
