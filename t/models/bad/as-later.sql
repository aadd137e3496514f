-- expect-error: 3:18 later statement
-- name: x :exec
UPDATE t SET a = :o.id;
-- as: o
UPDATE t SET a = 1;
