-- What t/http/trace_sql.t asks for; the same on both databases, but for the last ones.
-- name: someone :one
SELECT n AS id FROM traced WHERE n = 7;

-- name: one :one
SELECT n, 'é' AS letter FROM traced WHERE n = :n; -- the end

-- name: many :many
-- param: ids int[] (0..100)
-- order: sort up = n
-- order: sort down = n DESC
SELECT n FROM traced WHERE n IN (:ids) ORDER BY :sort;

-- name: page :object
-- answer: first :one
SELECT n FROM traced WHERE n = 1;
-- answer: rest :many
SELECT n FROM traced WHERE n > 1 ORDER BY n;

-- name: place :one
-- param: items[] (1..10)
-- param: items[].n int
-- as: made
INSERT INTO traced_log (n) VALUES (:user.id);
-- each: items
-- expect: 1 else 409 "No such number"
UPDATE traced SET hits = hits + 1 WHERE n = :items[].n;
SELECT COUNT(*) AS hits FROM traced_log WHERE id = :made.insert_id;

-- name: log :exec
-- param: n int
INSERT INTO traced_log (n) VALUES (:n);

-- name: twice :exec
INSERT INTO traced (n, hits) VALUES (1, 0);

-- name: block :one
BEGIN NOT ATOMIC
  DECLARE x INT DEFAULT 5;
  SELECT x AS n;
END;

-- name: slow :one
SELECT SLEEP(30) AS slept;
