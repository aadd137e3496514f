-- The answers that Idempotency-Keys stand for: one table in each MariaDB or MySQL database
-- whose models have routes with idempotent=. See docs/reference/idempotency.md.
CREATE TABLE mouse_idempotency (
    scope           BINARY(32)     NOT NULL,    -- SHA-256 of the route and the value of idempotent=
    idempotency_key VARBINARY(255) NOT NULL,    -- as the client sent it, without quotes
    request         BINARY(32)     NOT NULL,    -- SHA-256 of method, path, query, type and body
    status          SMALLINT       NOT NULL,
    headers         MEDIUMBLOB,                 -- one line each
    body            MEDIUMBLOB,
    expires         BIGINT         NOT NULL,    -- milliseconds since 1970
    PRIMARY KEY (scope, idempotency_key),
    KEY mouse_idempotency_expires (expires)
) ENGINE=InnoDB;
