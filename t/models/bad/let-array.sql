-- expect-error: 4:16 no single value
-- name: x :exec
-- param: ids int[]
-- let: a = ids
UPDATE t SET a = :a WHERE id IN (:ids);
