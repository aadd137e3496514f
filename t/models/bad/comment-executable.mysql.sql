-- expect-error: 3:8 executable comment
-- name: x :many
SELECT /*! 1 + */ 1;
