-- expect-error: 2:9 needs a name
-- name:
SELECT 1;
