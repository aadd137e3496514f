-- name: by_id :one
SELECT userId, CONCAT(firstname, ' ', lastname) AS name, email FROM Users WHERE userId = :id;

-- name: list :many
SELECT userId, CONCAT(firstname, ' ', lastname) AS name, email FROM Users ORDER BY userId LIMIT 100;
