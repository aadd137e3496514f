-- expect-error: 3:21 stands behind SQL
-- name: x :exec
UPDATE t SET a = 1; -- expect: 1
