-- expect-error: 3:8 control character
-- name: x :many
SELECT ;
