-- expect-error: 3:1 one transaction
-- name: x :exec
RELEASE SAVEPOINT a;
