-- expect-error: 3:8 quote has no end
-- name: x :many
SELECT "a"";
