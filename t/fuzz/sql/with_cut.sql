-- name: a :exec
WITH