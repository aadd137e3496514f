-- expect-error: 3:10 ':='
-- name: x :many
SELECT a := 1;
