-- name: a :many
SELECT [a]]b], `a``b`, "a""b", x'', :a[], :a[].b, :a[