-- Which process delivers a stream of events (a file, a syslog receiver): one at a time, so that it is in order.

CREATE TABLE stream_leases (
  kind text COLLATE "C" NOT NULL PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until_ms bigint NOT NULL
);
