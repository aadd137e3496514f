-- expect-error: 3:19 a let is
-- name: x :exec
-- let: a = random.bytes
UPDATE t SET a = :a;
