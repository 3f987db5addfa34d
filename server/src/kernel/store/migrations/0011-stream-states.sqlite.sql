-- How each stream of events (a file, a syslog receiver) fares for an organization: the console shows it.

CREATE TABLE stream_states (
  kind TEXT NOT NULL,
  org INTEGER NOT NULL,
  delivered_ms INTEGER,
  failed_ms INTEGER,
  error TEXT,
  PRIMARY KEY (org, kind)
) STRICT, WITHOUT ROWID;
