-- Models for routes that are not there yet.

-- name: by_member :many
SELECT id FROM products WHERE id = :member.id AND name = :user.name AND price > :least AND price < :least + 1;
