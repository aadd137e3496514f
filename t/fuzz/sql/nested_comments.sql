-- name: a :many
SELECT /* a /* b */ c */ 1; /*/ */ SELECT 2 /**/;
