-- expect-error: 4:1 returns none
-- name: x :object
-- answer: a :one
UPDATE t SET a = 1;
