-- name: a :many
SELECT $tag$ it's ; :x $tag$, $1, $$ $$;
