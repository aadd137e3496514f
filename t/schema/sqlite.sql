CREATE TABLE notes (id INTEGER PRIMARY KEY, title VARCHAR(20) NOT NULL, n INT NOT NULL CHECK (n <> 13));
CREATE TABLE numbers (n INT NOT NULL PRIMARY KEY);
INSERT INTO numbers (n) VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
CREATE TABLE keyed (id INTEGER PRIMARY KEY, title VARCHAR(40) NOT NULL);
CREATE TABLE keyed_log (keyed_id INTEGER NOT NULL);

-- For t/http/mrpc.t.
CREATE TABLE mrpc_tokens (user_id INT NOT NULL PRIMARY KEY, token VARCHAR(64) NOT NULL, expired INT NOT NULL, name VARCHAR(20) NOT NULL);
CREATE TABLE mrpc_seeds (user_id INT NOT NULL, seed VARCHAR(255) NOT NULL, PRIMARY KEY (user_id, seed));
INSERT INTO mrpc_tokens VALUES (7, '7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f', 0, 'seven'), (8, 'eight', 1, 'eight');

-- For t/http/hmac.t.
CREATE TABLE hmac_keys (key_id VARCHAR(40) NOT NULL PRIMARY KEY, secret VARCHAR(100), bytes BLOB, user_id INT NOT NULL);
INSERT INTO hmac_keys VALUES ('k1', '0123456789abcdef0123456789abcdef', X'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1dfeff', 7), ('k2', 'base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd/v8=', NULL, 8), ('short', 'secret', X'00', 9);

-- For t/http/coalesce.t.
CREATE TABLE shared (client INT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
INSERT INTO shared (client, n) SELECT a.n + 10 * b.n, 0 FROM numbers a, numbers b WHERE b.n < 4;

-- For t/http/trace_sql.t.
CREATE TABLE traced (n INT NOT NULL PRIMARY KEY, hits INT NOT NULL);
CREATE TABLE traced_log (id INTEGER PRIMARY KEY, n INT NOT NULL);
INSERT INTO traced (n, hits) SELECT n, 0 FROM numbers;
