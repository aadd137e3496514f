-- expect-error: 3:30 is empty
-- name: x :many
-- param: a number(1.5..1.25)
SELECT :a;
