-- expect-error: 3:11 declare the array
-- name: x :exec
-- param: items[].a int
-- each: items
UPDATE t SET a = :items[].a;
