-- expect-error: 5:11 declared already
-- name: x :exec
-- param: items[]
-- param: items[].a int
-- param: items[].a int
-- each: items
UPDATE t SET a = :items[].a;
