-- expect-error: 5:1 takes no
-- name: x :one
-- param: ids int[]
-- each: ids
SELECT :ids[];
