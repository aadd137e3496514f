-- expect-error: 2:1 needs a member
-- name: x :object
SELECT 1;
