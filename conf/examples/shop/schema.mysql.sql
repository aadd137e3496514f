CREATE TABLE users (
    id BIGINT AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(80) NOT NULL
) ENGINE=InnoDB;
CREATE TABLE sessions (
    token_hash CHAR(64) NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES users (id)
) ENGINE=InnoDB;
CREATE TABLE products (
    id BIGINT AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(80) NOT NULL,
    description TEXT,
    price INT NOT NULL,
    stock INT NOT NULL DEFAULT 0,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT uniq_product_name UNIQUE (name)
) ENGINE=InnoDB;
CREATE TABLE product_tags (
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    tag VARCHAR(40) NOT NULL,
    PRIMARY KEY (product_id, tag)
) ENGINE=InnoDB;
CREATE TABLE orders (
    id BIGINT AUTO_INCREMENT PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES users (id),
    total BIGINT NOT NULL,
    created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
) ENGINE=InnoDB;
CREATE TABLE order_items (
    order_id BIGINT NOT NULL REFERENCES orders (id),
    product_id BIGINT NOT NULL REFERENCES products (id),
    qty INT NOT NULL,
    price INT NOT NULL
) ENGINE=InnoDB;
INSERT INTO users (id, name) VALUES (1, 'Demo'), (2, 'Other');
INSERT INTO sessions (token_hash, user_id) VALUES ('2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea', 1), ('d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa', 2);
INSERT INTO products (id, name, description, price, stock) VALUES
    (1, 'Mouse', 'Grey, with a tail.', 1250, 100),
    (2, 'Keyboard', NULL, 4900, 20),
    (3, 'Cheese', 'Matured for a year.', 799, 500),
    (4, 'Trap', 'For show only.', 350, 1);
INSERT INTO product_tags (product_id, tag) VALUES
    (1, 'animal'), (1, 'device'), (2, 'device'), (3, 'food');
