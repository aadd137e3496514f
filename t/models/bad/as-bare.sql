-- expect-error: 5:18 is a row
-- name: x :exec
-- as: o
UPDATE t SET a = 1;
UPDATE t SET a = :o;
