-- expect-error: 3:10 no array parameter
-- name: x :exec
-- each: items
UPDATE t SET a = 1;
