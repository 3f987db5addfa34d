-- One tree in place of two for the addresses, and a place where new texts wait until many are indexed at once.

CREATE TABLE addresses_moved (
  org INTEGER NOT NULL,
  address TEXT NOT NULL,
  employee_id TEXT NOT NULL
) STRICT;
INSERT INTO addresses_moved SELECT org, address, employee_id FROM employee_addresses ORDER BY org, address;
DROP TABLE employee_addresses;
CREATE TABLE employee_addresses (
  org INTEGER NOT NULL,
  address TEXT NOT NULL,
  employee_id TEXT NOT NULL,
  PRIMARY KEY (org, address)
) STRICT, WITHOUT ROWID;
INSERT INTO employee_addresses SELECT org, address, employee_id FROM addresses_moved;
DROP TABLE addresses_moved;

CREATE TABLE waiting_substrings (
  index_name TEXT NOT NULL,
  place INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (index_name, place)
) STRICT, WITHOUT ROWID;
