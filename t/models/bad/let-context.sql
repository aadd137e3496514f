-- expect-error: 3:21 no such field
-- name: x :exec
-- let: a = given.id
UPDATE t SET a = :a;
