-- expect-error: 6:41 holds objects
-- name: x :exec
-- param: items[]
-- param: items[].a int
-- each: items
UPDATE t SET a = :items[].a WHERE b IN (:items);
