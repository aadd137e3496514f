-- expect-error: 6:18 is not declared
-- name: x :exec
-- param: items[]
-- param: items[].a int
-- each: items
UPDATE t SET a = :items[].b;
