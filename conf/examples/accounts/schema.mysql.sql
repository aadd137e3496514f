CREATE TABLE accounts (
    id BIGINT AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(40) NOT NULL,
    password_hash VARCHAR(120) NOT NULL,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_login BIGINT,
    CONSTRAINT uniq_account_name UNIQUE (name)
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
-- "Keep me logged in": what the cookie kli stands for.
CREATE TABLE kli (
    hash CHAR(64) NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE sessions (
    token_hash CHAR(64) NOT NULL PRIMARY KEY,
    account_id BIGINT NOT NULL,
    kli_hash CHAR(64),
    expires BIGINT NOT NULL,
    FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
    FOREIGN KEY (kli_hash) REFERENCES kli (hash) ON DELETE CASCADE ON UPDATE CASCADE
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE api_keys (
    id BIGINT AUTO_INCREMENT PRIMARY KEY,
    key_hash CHAR(64) NOT NULL,
    account_id BIGINT NOT NULL,
    label VARCHAR(80) NOT NULL,
    UNIQUE (key_hash),
    FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
-- For mrpc.conf alone: one session an account, its token as it is, the seeds go with it.
CREATE TABLE mrpc_sessions (
    account_id BIGINT NOT NULL PRIMARY KEY,
    token CHAR(64) NOT NULL,
    expires BIGINT NOT NULL,
    FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE mrpc_seeds (
    account_id BIGINT NOT NULL,
    seed VARCHAR(255) NOT NULL,
    PRIMARY KEY (account_id, seed),
    FOREIGN KEY (account_id) REFERENCES mrpc_sessions (account_id) ON DELETE CASCADE
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
