CREATE TABLE notes (id BIGINT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(20) NOT NULL, n INT NOT NULL, CONSTRAINT not_13 CHECK (n <> 13));
CREATE TABLE numbers (n INT NOT NULL PRIMARY KEY);
INSERT INTO numbers (n) VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
CREATE TABLE keyed (id BIGINT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(40) NOT NULL);
CREATE TABLE keyed_log (keyed_id BIGINT NOT NULL);

-- For t/http/mrpc.t.
CREATE TABLE mrpc_tokens (user_id INT NOT NULL PRIMARY KEY, token VARCHAR(64) NOT NULL, expired INT NOT NULL, name VARCHAR(20) NOT NULL);
CREATE TABLE mrpc_seeds (user_id INT NOT NULL, seed VARCHAR(255) NOT NULL, PRIMARY KEY (user_id, seed));
INSERT INTO mrpc_tokens VALUES (7, '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f', 0, 'seven'), (8, 'eight', 1, 'eight');
