-- The same name, declared to come from each place.

-- name: usual :one
-- param: id int
SELECT :id AS id;

-- name: nested :one
-- param: id int from body.a.b
SELECT :id AS id;

-- name: header :one
-- param: id int from header.x_id
SELECT :id AS id;

-- name: cookie :one
-- param: id int from cookie.id
SELECT :id AS id;

-- name: asked :one
-- param: id int from query
SELECT :id AS id;

-- name: default :one
-- param: id int = 7
SELECT :id AS id;

-- name: few :one
-- param: n int
SELECT :n AS n;

-- name: named :one
-- param: name string(1..20) match(/^[a-z]+$/)
SELECT :name AS name;

-- name: lines :one
SELECT 'a' || char(13) || char(10) || 'X-Other: 1' AS line;
