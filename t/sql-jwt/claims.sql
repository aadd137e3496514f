-- name: mine :one
-- column: roles json
SELECT CAST(:user.sub AS CHAR(20)) AS sub, :user.n = 9007199254740993 AS exact,
       :user.admin = 1 AS admin, CAST(:user.roles AS CHAR(100)) AS roles,
       :user.absent IS NULL AS absent;
