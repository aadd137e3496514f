PRAGMA journal_mode = WAL;
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name VARCHAR(40) NOT NULL,
    password_hash VARCHAR(120) NOT NULL,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_login BIGINT,
    UNIQUE (name)
);
-- "Keep me logged in": what the cookie kli stands for.
CREATE TABLE kli (
    hash CHAR(64) NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    expires BIGINT NOT NULL
);
CREATE INDEX kli_account ON kli (account_id);
CREATE TABLE sessions (
    token_hash CHAR(64) NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kli_hash CHAR(64) REFERENCES kli (hash) ON DELETE CASCADE ON UPDATE CASCADE,
    expires BIGINT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_kli ON sessions (kli_hash);
CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key_hash CHAR(64) NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    label VARCHAR(80) NOT NULL,
    UNIQUE (key_hash)
);
CREATE INDEX api_keys_account ON api_keys (account_id);
-- For mrpc.conf alone: one session an account, its token as it is, the seeds go with it.
CREATE TABLE mrpc_sessions (
    account_id BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    token CHAR(64) NOT NULL,
    expires BIGINT NOT NULL
);
CREATE TABLE mrpc_seeds (
    account_id BIGINT NOT NULL REFERENCES mrpc_sessions (account_id) ON DELETE CASCADE,
    seed VARCHAR(255) NOT NULL,
    PRIMARY KEY (account_id, seed)
);
