-- Extensions over all browsers, counted from time to time, and the filters that administrators have named.

CREATE TABLE extension_groups (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  risk TEXT,
  host_reach TEXT,
  source TEXT,
  blocked INTEGER,
  browsers INTEGER,
  people INTEGER,
  risk_score INTEGER,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX extension_groups_id ON extension_groups (org, id);
CREATE INDEX extension_groups_walk ON extension_groups (org, unlisted, seq, browsers, people, risk_score);
CREATE INDEX extension_groups_by_risk ON extension_groups (org, risk, seq);
CREATE INDEX extension_groups_by_host_reach ON extension_groups (org, host_reach, seq);
CREATE INDEX extension_groups_by_source ON extension_groups (org, source, seq);
CREATE INDEX extension_groups_by_blocked ON extension_groups (org, blocked, seq);
CREATE INDEX extension_groups_by_browsers ON extension_groups (org, browsers, seq);
CREATE INDEX extension_groups_by_people ON extension_groups (org, people, seq);
CREATE INDEX extension_groups_by_risk_score ON extension_groups (org, risk_score, seq);
CREATE TABLE extension_groups_permissions (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE extension_counts (
  org INTEGER PRIMARY KEY,
  begun_ms INTEGER NOT NULL,
  counted_ms INTEGER,
  took_ms INTEGER
) STRICT;
CREATE TABLE saved_filters (
  org INTEGER NOT NULL,
  administrator_id TEXT NOT NULL,
  id TEXT NOT NULL,
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  creation_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, administrator_id, id),
  UNIQUE (org, administrator_id, list, name)
) STRICT;
