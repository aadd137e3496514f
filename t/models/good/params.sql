-- Every form of a parameter.
-- name: all :many
-- param: a int(-5..99) = 20
-- param: b number(0..1.5) optional
-- param: c string(..40) nullable = ""
-- param: d bool = true
-- param: e date = 2026-02-28
-- param: f datetime optional from query
-- param: g uuid nullable
-- param: h json optional from body.meta.tags
-- param: i bytes(..64) optional
-- param: j string in(new,paid,'on hold') = "on hold"
-- param: k string match(/^[a-z\/()]+$/) optional
-- param: l string from header.x_trace hash(sha256)
-- param: m string(1..200) from cookie.sid hash(bcrypt:10)
-- param: n string optional hash(yescrypt)
-- param: o int[] (0..50)
-- param: p string(1..20)[] in(x,y) from query
-- param: q int from path
-- let: token = random.hex32
-- let: token_hash = token hash(sha256)
-- let: id = random.uuid
-- let: at = now.ms
-- let: day = now.unix
-- let: copy = c hash(sha256)
-- order: sort newest = id DESC
-- order: sort price = price, COALESCE(name, ':x;'), id
-- column: active bool
-- column: meta json
-- column: secret hidden
-- error: uniq_email 409 "Address taken" c
-- error: users.email,users.tenant 409 'It''s taken' c
-- error: foreign_key 422
SELECT :a, :b, :c, :d, :e, :f, :g, :h, :i, :j, :k, :l, :m, :n, :q, :path_name,
       :token, :token_hash, :id, :at, :day, :copy, :given.a,
       :user.id, :request.ip, :now.ms, :random.uuid, :env.HOME, :header.x_trace, :cookie.kli
  FROM t WHERE x IN (:o) AND y NOT IN (:p)
 ORDER BY pinned DESC, :sort LIMIT :a;
