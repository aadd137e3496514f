-- expect-error: 4:18 lacks
-- name: x :exec
-- param: ids int[]
UPDATE t SET a = :ids[];
