-- expect-error: 2:12 needs its kind
-- name: a :all
SELECT 1;
