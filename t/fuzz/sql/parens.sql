-- name: a :exec
((((