-- expect-error: 3:8 built-in word
-- name: x :exec
-- as: request
UPDATE t SET a = 1;
