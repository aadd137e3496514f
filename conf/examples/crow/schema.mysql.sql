CREATE TABLE Users (
    userId INT NOT NULL PRIMARY KEY,
    firstname VARCHAR(40) NOT NULL,
    lastname VARCHAR(40) NOT NULL,
    email VARCHAR(80) NOT NULL
) ENGINE=InnoDB;
-- 1000 users whose names come from two lists of ten and a number.
INSERT INTO Users (userId, firstname, lastname, email)
SELECT seq,
       ELT(1 + seq % 10, 'Rhett', 'Ada', 'Bram', 'Cleo', 'Dina', 'Egon', 'Fay', 'Gus', 'Hana', 'Ivo'),
       ELT(1 + seq DIV 10 % 10, 'Purdy', 'Ames', 'Birk', 'Cole', 'Dorn', 'Eck', 'Frey', 'Gold', 'Hart', 'Iken'),
       CONCAT('user', seq, '@example.org')
  FROM seq_0_to_999;
