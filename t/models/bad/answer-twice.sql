-- expect-error: 5:12 already has
-- name: x :object
-- answer: a :one
SELECT 1;
-- answer: a :one
SELECT 1;
