-- expect-error: 6:18 is an object
-- name: x :exec
-- param: items[]
-- param: items[].a int
-- each: items
UPDATE t SET a = :items[];
