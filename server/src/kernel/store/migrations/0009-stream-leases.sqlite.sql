-- Which process delivers a stream of events (a file, a syslog receiver): one at a time, so that it is in order.

CREATE TABLE stream_leases (
  kind TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
