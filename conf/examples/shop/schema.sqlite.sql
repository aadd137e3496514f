PRAGMA journal_mode = WAL;
CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name VARCHAR(80) NOT NULL
);
CREATE TABLE sessions (
    token_hash CHAR(64) NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES users (id)
);
CREATE TABLE products (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name VARCHAR(80) NOT NULL,
    description TEXT,
    price INT NOT NULL,
    stock INT NOT NULL DEFAULT 0,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (name)
);
CREATE TABLE product_tags (
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    tag VARCHAR(40) NOT NULL,
    PRIMARY KEY (product_id, tag)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id BIGINT NOT NULL REFERENCES users (id),
    total BIGINT NOT NULL,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE order_items (
    order_id BIGINT NOT NULL REFERENCES orders (id),
    product_id BIGINT NOT NULL REFERENCES products (id),
    qty INT NOT NULL,
    price INT NOT NULL
);
INSERT INTO users (id, name) VALUES (1, 'Demo'), (2, 'Other');
INSERT INTO sessions (token_hash, user_id) VALUES ('2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea', 1), ('d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa', 2);
INSERT INTO products (id, name, description, price, stock) VALUES
    (1, 'Mouse', 'Grey, with a tail.', 1250, 100),
    (2, 'Keyboard', NULL, 4900, 20),
    (3, 'Cheese', 'Matured for a year.', 799, 500),
    (4, 'Trap', 'For show only.', 350, 1);
INSERT INTO product_tags (product_id, tag) VALUES
    (1, 'animal'), (1, 'device'), (2, 'device'), (3, 'food');
