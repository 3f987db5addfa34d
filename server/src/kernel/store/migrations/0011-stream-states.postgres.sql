-- How each stream of events (a file, a syslog receiver) fares for an organization: the console shows it.

CREATE TABLE stream_states (
  kind text COLLATE "C" NOT NULL,
  org bigint NOT NULL,
  delivered_ms bigint,
  failed_ms bigint,
  error text COLLATE "C",
  PRIMARY KEY (org, kind)
);
