-- What the ingest of agents needs: how records are found by what an event names, and the tables of its own.

ALTER TABLE organizations ADD COLUMN policy_revision bigint NOT NULL DEFAULT 0;

ALTER TABLE employees ADD COLUMN typed_history text COLLATE "C";
ALTER TABLE accounts ADD COLUMN login_key text COLLATE "C";
ALTER TABLE accounts ADD COLUMN logins_without_mfa bigint;
UPDATE accounts SET login_key = app_id || ' ' || email;
CREATE INDEX accounts_by_login_key ON accounts (org, login_key, seq);
ALTER TABLE accounts_other ADD COLUMN login_key text COLLATE "C";
ALTER TABLE accounts_other ADD COLUMN password_id text COLLATE "C";
UPDATE accounts_other SET login_key = other_app_id || ' ' || email;
CREATE INDEX accounts_other_by_login_key ON accounts_other (org, login_key, seq);
CREATE INDEX accounts_other_by_password_id ON accounts_other (org, password_id, seq);
ALTER TABLE apps_other ADD COLUMN domain_key text COLLATE "C";
UPDATE apps_other SET domain_key = domain;
CREATE INDEX apps_other_by_domain_key ON apps_other (org, domain_key, seq);
ALTER TABLE browsers ADD COLUMN facts_timestamp bigint;
ALTER TABLE browsers ADD COLUMN extensions_timestamp bigint;
ALTER TABLE detections ADD COLUMN subject text COLLATE "C";
ALTER TABLE detections ADD COLUMN observed_activity bigint;
CREATE INDEX detections_by_subject ON detections (org, subject, seq);

CREATE TABLE browser_credentials (
  org bigint NOT NULL,
  browser_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  revoked_timestamp bigint,
  PRIMARY KEY (org, browser_id)
);

CREATE TABLE enrollment_tokens (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  revoked_timestamp bigint,
  PRIMARY KEY (org, id)
);

CREATE TABLE controls (
  org bigint PRIMARY KEY,
  document text COLLATE "C" NOT NULL,
  updated_timestamp bigint NOT NULL
);

CREATE TABLE catalog_products (
  org bigint NOT NULL,
  app_type text COLLATE "C" NOT NULL,
  product text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, app_type)
);

-- Raw events stand in a table for each week; this names those that there are.
CREATE TABLE raw_event_weeks (
  week bigint PRIMARY KEY,
  creation_timestamp bigint NOT NULL
);

CREATE TABLE daily_jobs (
  name text COLLATE "C" PRIMARY KEY,
  day bigint NOT NULL
);
