-- expect-error: 4:10 no array parameter
-- name: x :exec
-- param: a int
-- each: a
UPDATE t SET a = :a;
