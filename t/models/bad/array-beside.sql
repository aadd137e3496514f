-- expect-error: 4:17 is an array
-- name: x :many
-- param: ids int[]
SELECT 1 IN (1, :ids);
