-- Names that guards read, too.

-- name: many :many
-- param: ids int[]
SELECT 1 AS x WHERE 1 IN (:ids);

-- name: owned :one
-- param: id int
SELECT :id AS id;

-- name: from_query :one
-- param: id int from query
SELECT :id AS id;
