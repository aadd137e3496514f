-- expect-error: 5:8 already names
-- name: x :exec
-- as: o
UPDATE t SET a = 1;
-- as: o
UPDATE t SET a = 1;
