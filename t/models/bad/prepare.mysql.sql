-- expect-error: 3:1 run time
-- name: x :exec
PREPARE s FROM 'SELECT 1';
