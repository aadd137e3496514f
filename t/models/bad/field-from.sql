-- expect-error: 4:35 leave 'from' out
-- name: x :exec
-- param: items[]
-- param: items[].a int from query
-- each: items
UPDATE t SET a = :items[].a;
