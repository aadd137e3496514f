-- expect-error: 3:12 makes a member
-- name: x :object
-- column: b.a bool
-- answer: c :one
SELECT a FROM t;
