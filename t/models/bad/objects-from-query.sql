-- expect-error: 3:29 from the body
-- name: x :exec
-- param: items[] from query
-- param: items[].a int
-- each: items
UPDATE t SET a = :items[].a;
