-- expect-error: 6:1 exclude each other
-- name: x :exec
-- param: ids int[]
-- each: ids
-- as: o
INSERT INTO t VALUES (:ids[]);
UPDATE t SET a = 1;
