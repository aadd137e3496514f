-- expect-error: 4:8 is an array
-- name: x :many
-- param: ids int[]
SELECT :ids;
