-- expect-error: 3:8 outlive
-- name: x :many
SELECT @a;
