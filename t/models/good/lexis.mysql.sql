-- name: quotes :many
SELECT ':a', ":b;", 'it''s \' :c ;', "say \"x\" ""y"" -- no", `a:d;``e`, x'3A', b'01', _utf8'é:f';
-- name: comments :many
SELECT 1 # a comment: with ; and :g 'quote
     , 2 -- and ; another 'one
     , 3 /* :h ; ' */, 4--5, 6--:n, 7--/* two minus signs */8, 9 /* ! not executable */;
-- name: label :exec
BEGIN NOT ATOMIC
  DECLARE n, m INT DEFAULT 0;
  outer_loop: LOOP
    SET n = n + 1, m = IF(n, 1, 2);
    IF n > :n THEN LEAVE outer_loop; END IF;
    UPDATE t SET a = CASE WHEN b THEN start ELSE commit_at END WHERE id = n;
  END LOOP;
  IF m = 0 THEN SIGNAL SQLSTATE '45404' SET MESSAGE_TEXT = 'gone'; END IF;
END;
-- name: tight_label :exec
BEGIN NOT ATOMIC l:LOOP LEAVE l; END LOOP; END
-- name: locking :one
SELECT id FROM t WHERE id = :id FOR UPDATE;
-- name: share :one
SELECT id FROM t WHERE id = :id LOCK IN SHARE MODE;
-- name: sequence :one
SELECT NEXT VALUE FOR s AS id;
-- name: call :many
CALL report(:id);
-- name: sysvar :one
SELECT @@version AS version, @@session.time_zone AS zone;
