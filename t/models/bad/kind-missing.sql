-- expect-error: 2:11 needs its kind
-- name: a
SELECT 1;
