-- expect-error: 3:17 a let is
-- name: x :exec
-- let: a = user.id
UPDATE t SET a = :a;
