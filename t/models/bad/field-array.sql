-- expect-error: 4:26 no array itself
-- name: x :exec
-- param: items[]
-- param: items[].a int[]
-- each: items
UPDATE t SET a = :items[].a;
