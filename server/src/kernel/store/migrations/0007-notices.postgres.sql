-- Notices: messages to people, each once (events contract, section 4), and the versions of the API that are deprecated.

CREATE TABLE api_deprecations (
  version text COLLATE "C" PRIMARY KEY,
  notice_id text COLLATE "C" NOT NULL,
  deprecation_timestamp bigint NOT NULL,
  sunset_timestamp bigint,
  changed_timestamp bigint NOT NULL
);

CREATE TABLE notices (
  org bigint NOT NULL REFERENCES organizations (no),
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  address_key text COLLATE "C" NOT NULL,
  facts text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempts integer NOT NULL,
  due_ms bigint NOT NULL,
  lease text COLLATE "C",
  leased_until_ms bigint,
  way text COLLATE "C",
  last_error text COLLATE "C",
  creation_timestamp bigint NOT NULL,
  last_attempt_timestamp bigint,
  sent_timestamp bigint,
  PRIMARY KEY (org, id),
  UNIQUE (org, kind, subject, address_key)
);
CREATE INDEX notices_by_due ON notices (due_ms) WHERE state = 'PENDING';
CREATE INDEX notices_by_lease ON notices (leased_until_ms) WHERE state = 'SENDING';
CREATE INDEX notices_by_age ON notices (creation_timestamp);
