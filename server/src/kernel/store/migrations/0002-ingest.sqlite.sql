-- What the ingest of agents needs: how records are found by what an event names, and the tables of its own.

ALTER TABLE organizations ADD COLUMN policy_revision INTEGER NOT NULL DEFAULT 0;

ALTER TABLE employees ADD COLUMN typed_history TEXT;
ALTER TABLE accounts ADD COLUMN login_key TEXT;
ALTER TABLE accounts ADD COLUMN logins_without_mfa INTEGER;
UPDATE accounts SET login_key = app_id || ' ' || email;
CREATE INDEX accounts_by_login_key ON accounts (org, login_key, seq);
ALTER TABLE accounts_other ADD COLUMN login_key TEXT;
ALTER TABLE accounts_other ADD COLUMN password_id TEXT;
UPDATE accounts_other SET login_key = other_app_id || ' ' || email;
CREATE INDEX accounts_other_by_login_key ON accounts_other (org, login_key, seq);
CREATE INDEX accounts_other_by_password_id ON accounts_other (org, password_id, seq);
ALTER TABLE apps_other ADD COLUMN domain_key TEXT;
UPDATE apps_other SET domain_key = domain;
CREATE INDEX apps_other_by_domain_key ON apps_other (org, domain_key, seq);
ALTER TABLE browsers ADD COLUMN facts_timestamp INTEGER;
ALTER TABLE browsers ADD COLUMN extensions_timestamp INTEGER;
ALTER TABLE detections ADD COLUMN subject TEXT;
ALTER TABLE detections ADD COLUMN observed_activity INTEGER;
CREATE INDEX detections_by_subject ON detections (org, subject, seq);

CREATE TABLE browser_credentials (
  org INTEGER NOT NULL,
  browser_id TEXT NOT NULL,
  employee_id TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  revoked_timestamp INTEGER,
  PRIMARY KEY (org, browser_id)
) STRICT;

CREATE TABLE enrollment_tokens (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  revoked_timestamp INTEGER,
  PRIMARY KEY (org, id)
) STRICT;

CREATE TABLE controls (
  org INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  updated_timestamp INTEGER NOT NULL
) STRICT;

CREATE TABLE catalog_products (
  org INTEGER NOT NULL,
  app_type TEXT NOT NULL,
  product TEXT NOT NULL,
  PRIMARY KEY (org, app_type)
) STRICT;

-- Raw events stand in a table for each week; this names those that there are.
CREATE TABLE raw_event_weeks (
  week INTEGER PRIMARY KEY,
  creation_timestamp INTEGER NOT NULL
) STRICT;

CREATE TABLE daily_jobs (
  name TEXT PRIMARY KEY,
  day INTEGER NOT NULL
) STRICT;
