-- expect-error: 3:10 no files
-- name: x :many
SELECT 1 INTO OUTFILE 'a';
