-- expect-error: 3:8 built-in word
-- name: x :many
SELECT :now;
