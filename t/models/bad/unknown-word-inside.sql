-- expect-error: 3:11 is no code comment
-- name: x :many
SELECT a, -- total: of all
 1;
