-- expect-error: 3:25 no such field
-- name: x :exec
-- let: a = random.bytes
UPDATE t SET a = :a;
