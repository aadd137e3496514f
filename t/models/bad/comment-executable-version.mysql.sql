-- expect-error: 3:8 executable comment
-- name: x :many
SELECT /*!50000 1 + */ 1;
