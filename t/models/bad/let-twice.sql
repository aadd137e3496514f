-- expect-error: 4:9 declared already
-- name: x :exec
-- let: a = now.ms
-- let: a = now.ms
UPDATE t SET a = :a;
