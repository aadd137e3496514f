-- name: a :exec
SELECT /*M!100 1*/ @@ @ ? ?1 :=