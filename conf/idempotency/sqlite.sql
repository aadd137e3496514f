-- The answers that Idempotency-Keys stand for: one table in each SQLite database whose
-- models have routes with idempotent=. See docs/reference/idempotency.md.
CREATE TABLE mouse_idempotency (
    scope           BLOB    NOT NULL,           -- SHA-256 of the route and the value of idempotent=
    idempotency_key BLOB    NOT NULL,           -- as the client sent it, without quotes
    request         BLOB    NOT NULL,           -- SHA-256 of method, path, query, type and body
    status          INTEGER NOT NULL,
    headers         BLOB,                       -- one line each
    body            BLOB,
    expires         INTEGER NOT NULL,           -- milliseconds since 1970
    PRIMARY KEY (scope, idempotency_key)
);
CREATE INDEX mouse_idempotency_expires ON mouse_idempotency (expires);
