-- expect-error: 3:8 executable comment
-- name: x :many
SELECT /*M! 1 + */ 1;
