-- Things to do.

-- name: list :many
-- A page of them; done=true and done=false choose.
-- param: done bool optional
-- param: limit int(1..100) = 50
-- param: offset int(0..) = 0
-- column: done bool
SELECT id, title, done, created_at
  FROM todos
 WHERE (:done IS NULL OR done = :done)
 ORDER BY id LIMIT :limit OFFSET :offset;

-- name: create :one
-- param: title string(1..200)
-- column: done bool
-- as: new
INSERT INTO todos (title) VALUES (:title);
SELECT id, title, done, created_at FROM todos WHERE id = :new.insert_id;
