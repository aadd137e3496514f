-- expect-error: 3:11 -- let: NAME
-- name: x :exec
-- let: a random.hex32
UPDATE t SET a = :a;
