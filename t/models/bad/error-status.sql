-- expect-error: 3:18 from 400
-- name: x :exec
-- error: uniq_a 200 "x"
UPDATE t SET a = 1;
