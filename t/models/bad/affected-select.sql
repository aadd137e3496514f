-- expect-error: 3:1 changes rows
-- name: x :affected
SELECT 1;
