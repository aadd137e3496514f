-- expect-error: 3:8 a reference is
-- name: x :many
SELECT :a.b.c;
