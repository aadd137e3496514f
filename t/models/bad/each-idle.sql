-- expect-error: 4:10 never names the element
-- name: x :exec
-- param: ids int[]
-- each: ids
UPDATE t SET a = 1;
