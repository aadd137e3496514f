-- expect-error: 3:14 needs its kind
-- name: x :object
-- answer: a :all
SELECT 1;
