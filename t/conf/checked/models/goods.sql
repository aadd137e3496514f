-- Models that only a database can judge.

-- name: price :one
SELECT id, price FROM products WHERE id = :id;

-- name: mail :one
SELECT :user.mail AS mail;
