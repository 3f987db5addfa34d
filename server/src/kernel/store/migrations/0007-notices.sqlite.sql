-- Notices: messages to people, each once (events contract, section 4), and the versions of the API that are deprecated.

CREATE TABLE api_deprecations (
  version TEXT PRIMARY KEY,
  notice_id TEXT NOT NULL,
  deprecation_timestamp INTEGER NOT NULL,
  sunset_timestamp INTEGER,
  changed_timestamp INTEGER NOT NULL
) STRICT;

CREATE TABLE notices (
  org INTEGER NOT NULL REFERENCES organizations (no),
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  address TEXT NOT NULL,
  address_key TEXT NOT NULL,
  facts TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  lease TEXT,
  leased_until_ms INTEGER,
  way TEXT,
  last_error TEXT,
  creation_timestamp INTEGER NOT NULL,
  last_attempt_timestamp INTEGER,
  sent_timestamp INTEGER,
  PRIMARY KEY (org, id),
  UNIQUE (org, kind, subject, address_key)
) STRICT;
CREATE INDEX notices_by_due ON notices (due_ms) WHERE state = 'PENDING';
CREATE INDEX notices_by_lease ON notices (leased_until_ms) WHERE state = 'SENDING';
CREATE INDEX notices_by_age ON notices (creation_timestamp);
