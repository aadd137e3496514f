-- What the guard password checks against, without a table: two users and a mirror.
-- name: by_name :one
-- param: name string(1..40)
SELECT hash FROM (
    SELECT 'ada' AS name, '$y$j75$TgVJIQ3oh.1TrM4lcAUS0.$D3Q/kg8uTIRmbRGYm1GjA4znpNUHKjVoYdYe.YSIX71' AS hash
    UNION ALL
    SELECT 'bob', '$2b$04$aLB1sIoxsjNlzz/pEQCT1ewmDdrDcwPeUvl1R./nAY1Jn4NGhNnB.'
) a WHERE name = :name;

-- name: hashed :one
-- What a model's hash() makes of one parameter.
-- param: secret string(1..200) hash(yescrypt:1)
SELECT :secret AS hash;
