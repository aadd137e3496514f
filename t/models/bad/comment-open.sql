-- expect-error: 3:10 comment has no end
-- name: x :many
SELECT 1 /* a /* b;
