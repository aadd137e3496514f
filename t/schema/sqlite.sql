CREATE TABLE notes (id INTEGER PRIMARY KEY, title VARCHAR(20) NOT NULL, n INT NOT NULL CHECK (n <> 13));
CREATE TABLE numbers (n INT NOT NULL PRIMARY KEY);
INSERT INTO numbers (n) VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
