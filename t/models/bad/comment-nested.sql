-- expect-error: 3:23 do not nest
-- name: x :many
SELECT 1 /* a /* b */ */;
