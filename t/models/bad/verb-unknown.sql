-- expect-error: 3:1 begins so
-- name: x :exec
SELEC 1;
