-- name: a :exec
BEGIN NOT ATOMIC SET