PRAGMA journal_mode = WAL;
-- The tables. For `mouse add route` each has a column id:
-- CREATE TABLE things (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
