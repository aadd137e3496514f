-- expect-error: 5:11 nothing uses
-- name: x :exec
-- param: items[]
-- param: items[].a int
-- param: items[].b int
-- each: items
UPDATE t SET a = :items[].a;
