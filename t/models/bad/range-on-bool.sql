-- expect-error: 3:18 takes no range
-- name: x :many
-- param: a bool(0..1)
SELECT :a;
