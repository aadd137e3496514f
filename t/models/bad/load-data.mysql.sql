-- expect-error: 3:1 no files
-- name: x :exec
LOAD DATA INFILE 'a' INTO TABLE t;
