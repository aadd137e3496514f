-- name: again :exec
INSERT INTO numbers (n) VALUES (1);
