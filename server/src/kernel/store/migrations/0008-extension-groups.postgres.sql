-- Extensions over all browsers, counted from time to time, and the filters that administrators have named.

CREATE TABLE extension_groups (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  risk text COLLATE "C",
  host_reach text COLLATE "C",
  source text COLLATE "C",
  blocked bigint,
  browsers bigint,
  people bigint,
  risk_score bigint,
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX extension_groups_id ON extension_groups (org, id);
CREATE INDEX extension_groups_walk ON extension_groups (org, unlisted, seq) INCLUDE (browsers, people, risk_score);
CREATE INDEX extension_groups_by_risk ON extension_groups (org, risk, seq);
CREATE INDEX extension_groups_by_host_reach ON extension_groups (org, host_reach, seq);
CREATE INDEX extension_groups_by_source ON extension_groups (org, source, seq);
CREATE INDEX extension_groups_by_blocked ON extension_groups (org, blocked, seq);
CREATE INDEX extension_groups_by_browsers ON extension_groups (org, browsers, seq);
CREATE INDEX extension_groups_by_people ON extension_groups (org, people, seq);
CREATE INDEX extension_groups_by_risk_score ON extension_groups (org, risk_score, seq);
CREATE TABLE extension_groups_permissions (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);
CREATE TABLE extension_counts (
  org bigint PRIMARY KEY,
  begun_ms bigint NOT NULL,
  counted_ms bigint,
  took_ms bigint
);
CREATE TABLE saved_filters (
  org bigint NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  query text COLLATE "C" NOT NULL,
  creation_timestamp bigint NOT NULL,
  PRIMARY KEY (org, administrator_id, id),
  UNIQUE (org, administrator_id, list, name)
);
