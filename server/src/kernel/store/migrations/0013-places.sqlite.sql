-- Rows in the order of creation, and links of the audit trail, are keyed by one number: the organization in the ten bits
-- above the 53 of a sequence number or position, and in the sign whether lists leave the row out. What is copied is undone
-- with the whole transaction (OR ROLLBACK): to undo a statement by itself would take as much memory as a table.

-- employees
ALTER TABLE employees RENAME TO employees_before;
CREATE TABLE employees (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  email TEXT,
  department TEXT,
  location TEXT,
  licensed INTEGER,
  merged_into_id TEXT,
  typed_history TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO employees (place, org, unlisted, seq, id, email, department, location, licensed, merged_into_id, typed_history, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, email, department, location, licensed, merged_into_id, typed_history, record FROM employees_before ORDER BY org, unlisted, seq;
DROP TABLE employees_before;
CREATE UNIQUE INDEX employees_id ON employees (org, id);
CREATE INDEX employees_walk ON employees (org, unlisted, seq);
CREATE INDEX employees_by_department ON employees (org, department, seq) WHERE department IS NOT NULL;
CREATE INDEX employees_by_location ON employees (org, location, seq) WHERE location IS NOT NULL;
CREATE INDEX employees_by_licensed ON employees (org, licensed, seq);
CREATE INDEX employees_by_merged_into_id ON employees (org, merged_into_id, seq) WHERE merged_into_id IS NOT NULL;

-- apps
ALTER TABLE apps RENAME TO apps_before;
CREATE TABLE apps (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT,
  approval_status TEXT,
  sensitivity_level TEXT,
  owner_id TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO apps (place, org, unlisted, seq, id, type, approval_status, sensitivity_level, owner_id, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, type, approval_status, sensitivity_level, owner_id, record FROM apps_before ORDER BY org, unlisted, seq;
DROP TABLE apps_before;
CREATE UNIQUE INDEX apps_id ON apps (org, id);
CREATE INDEX apps_walk ON apps (org, unlisted, seq);
CREATE INDEX apps_by_type ON apps (org, type, seq);
CREATE INDEX apps_by_approval_status ON apps (org, approval_status, seq) WHERE approval_status IS NOT NULL;
CREATE INDEX apps_by_sensitivity_level ON apps (org, sensitivity_level, seq) WHERE sensitivity_level IS NOT NULL;
CREATE INDEX apps_by_owner_id ON apps (org, owner_id, seq) WHERE owner_id IS NOT NULL;

-- appsOther
ALTER TABLE apps_other RENAME TO apps_other_before;
CREATE TABLE apps_other (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  domain TEXT,
  request_support_status TEXT,
  hidden INTEGER,
  domain_key TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO apps_other (place, org, unlisted, seq, id, domain, request_support_status, hidden, domain_key, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, domain, request_support_status, hidden, domain_key, record FROM apps_other_before ORDER BY org, unlisted, seq;
DROP TABLE apps_other_before;
CREATE UNIQUE INDEX apps_other_id ON apps_other (org, id);
CREATE INDEX apps_other_walk ON apps_other (org, unlisted, seq);
CREATE INDEX apps_other_by_request_support_status ON apps_other (org, request_support_status, seq);
CREATE INDEX apps_other_by_hidden ON apps_other (org, hidden, seq);
CREATE INDEX apps_other_by_domain_key ON apps_other (org, domain_key, seq);

-- accounts
ALTER TABLE accounts RENAME TO accounts_before;
CREATE TABLE accounts (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  email TEXT,
  app_type TEXT,
  app_id TEXT,
  employee_id TEXT,
  password_id TEXT,
  last_used_timestamp INTEGER,
  owner TEXT,
  login_key TEXT,
  logins_without_mfa INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO accounts (place, org, unlisted, seq, id, email, app_type, app_id, employee_id, password_id, last_used_timestamp, owner, login_key, logins_without_mfa, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, email, app_type, app_id, employee_id, password_id, last_used_timestamp, owner, login_key, logins_without_mfa, record FROM accounts_before ORDER BY org, unlisted, seq;
DROP TABLE accounts_before;
CREATE UNIQUE INDEX accounts_id ON accounts (org, id);
CREATE INDEX accounts_walk ON accounts (org, unlisted, seq, last_used_timestamp);
CREATE INDEX accounts_by_app_type ON accounts (org, app_type, seq);
CREATE INDEX accounts_by_app_id ON accounts (org, app_id, seq);
CREATE INDEX accounts_by_employee_id ON accounts (org, employee_id, seq);
CREATE INDEX accounts_by_password_id ON accounts (org, password_id, seq) WHERE password_id IS NOT NULL;
CREATE INDEX accounts_by_last_used_timestamp ON accounts (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;
CREATE INDEX accounts_by_login_key ON accounts (org, login_key, seq);

-- usedBy
ALTER TABLE used_by RENAME TO used_by_before;
CREATE TABLE used_by (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT,
  employee_id TEXT,
  owner TEXT,
  observed_last_used INTEGER,
  observed_typed INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO used_by (place, org, unlisted, seq, id, account_id, employee_id, owner, observed_last_used, observed_typed, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, account_id, employee_id, owner, observed_last_used, observed_typed, record FROM used_by_before ORDER BY org, unlisted, seq;
DROP TABLE used_by_before;
CREATE UNIQUE INDEX used_by_id ON used_by (org, id);
CREATE INDEX used_by_walk ON used_by (org, unlisted, seq);
CREATE INDEX used_by_by_account_id ON used_by (org, account_id, seq);
CREATE INDEX used_by_by_employee_id ON used_by (org, employee_id, seq);

-- accountsOther
ALTER TABLE accounts_other RENAME TO accounts_other_before;
CREATE TABLE accounts_other (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  email TEXT,
  employee_id TEXT,
  other_app_id TEXT,
  last_used_timestamp INTEGER,
  owner TEXT,
  login_key TEXT,
  password_id TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO accounts_other (place, org, unlisted, seq, id, email, employee_id, other_app_id, last_used_timestamp, owner, login_key, password_id, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, email, employee_id, other_app_id, last_used_timestamp, owner, login_key, password_id, record FROM accounts_other_before ORDER BY org, unlisted, seq;
DROP TABLE accounts_other_before;
CREATE UNIQUE INDEX accounts_other_id ON accounts_other (org, id);
CREATE INDEX accounts_other_walk ON accounts_other (org, unlisted, seq, last_used_timestamp);
CREATE INDEX accounts_other_by_employee_id ON accounts_other (org, employee_id, seq);
CREATE INDEX accounts_other_by_other_app_id ON accounts_other (org, other_app_id, seq);
CREATE INDEX accounts_other_by_last_used_timestamp ON accounts_other (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;
CREATE INDEX accounts_other_by_login_key ON accounts_other (org, login_key, seq);
CREATE INDEX accounts_other_by_password_id ON accounts_other (org, password_id, seq);

-- browsers
ALTER TABLE browsers RENAME TO browsers_before;
CREATE TABLE browsers (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  employee_id TEXT,
  email TEXT,
  browser TEXT,
  os TEXT,
  token_type TEXT,
  is_active INTEGER,
  last_online_timestamp INTEGER,
  owner TEXT,
  facts_timestamp INTEGER,
  extensions_timestamp INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO browsers (place, org, unlisted, seq, id, employee_id, email, browser, os, token_type, is_active, last_online_timestamp, owner, facts_timestamp, extensions_timestamp, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, employee_id, email, browser, os, token_type, is_active, last_online_timestamp, owner, facts_timestamp, extensions_timestamp, record FROM browsers_before ORDER BY org, unlisted, seq;
DROP TABLE browsers_before;
CREATE UNIQUE INDEX browsers_id ON browsers (org, id);
CREATE INDEX browsers_walk ON browsers (org, unlisted, seq, last_online_timestamp);
CREATE INDEX browsers_by_employee_id ON browsers (org, employee_id, seq);
CREATE INDEX browsers_by_browser ON browsers (org, browser, seq);
CREATE INDEX browsers_by_os ON browsers (org, os, seq);
CREATE INDEX browsers_by_token_type ON browsers (org, token_type, seq);
CREATE INDEX browsers_by_is_active ON browsers (org, is_active, seq);
CREATE INDEX browsers_by_last_online_timestamp ON browsers (org, last_online_timestamp, seq);

-- browserExtensions
ALTER TABLE browser_extensions RENAME TO browser_extensions_before;
CREATE TABLE browser_extensions (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  extension_id TEXT,
  employee_id TEXT,
  browser_id TEXT,
  deployment_mode TEXT,
  enabled INTEGER,
  owner TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO browser_extensions (place, org, unlisted, seq, id, extension_id, employee_id, browser_id, deployment_mode, enabled, owner, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, extension_id, employee_id, browser_id, deployment_mode, enabled, owner, record FROM browser_extensions_before ORDER BY org, unlisted, seq;
DROP TABLE browser_extensions_before;
CREATE UNIQUE INDEX browser_extensions_id ON browser_extensions (org, id);
CREATE INDEX browser_extensions_walk ON browser_extensions (org, unlisted, seq);
CREATE INDEX browser_extensions_by_extension_id ON browser_extensions (org, extension_id, seq);
CREATE INDEX browser_extensions_by_employee_id ON browser_extensions (org, employee_id, seq);
CREATE INDEX browser_extensions_by_browser_id ON browser_extensions (org, browser_id, seq);
CREATE INDEX browser_extensions_by_deployment_mode ON browser_extensions (org, deployment_mode, seq);
CREATE INDEX browser_extensions_by_enabled ON browser_extensions (org, enabled, seq);

-- detections
ALTER TABLE detections RENAME TO detections_before;
CREATE TABLE detections (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  detection_type TEXT,
  severity TEXT,
  response TEXT,
  classification TEXT,
  archived INTEGER,
  employee_id TEXT,
  browser_id TEXT,
  last_activity_timestamp INTEGER,
  owner TEXT,
  subject TEXT,
  observed_activity INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO detections (place, org, unlisted, seq, id, detection_type, severity, response, classification, archived, employee_id, browser_id, last_activity_timestamp, owner, subject, observed_activity, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, detection_type, severity, response, classification, archived, employee_id, browser_id, last_activity_timestamp, owner, subject, observed_activity, record FROM detections_before ORDER BY org, unlisted, seq;
DROP TABLE detections_before;
CREATE UNIQUE INDEX detections_id ON detections (org, id);
CREATE INDEX detections_walk ON detections (org, unlisted, seq, last_activity_timestamp);
CREATE INDEX detections_by_detection_type ON detections (org, detection_type, seq);
CREATE INDEX detections_by_severity ON detections (org, severity, seq);
CREATE INDEX detections_by_response ON detections (org, response, seq);
CREATE INDEX detections_by_classification ON detections (org, classification, seq);
CREATE INDEX detections_by_archived ON detections (org, archived, seq);
CREATE INDEX detections_by_employee_id ON detections (org, employee_id, seq);
CREATE INDEX detections_by_browser_id ON detections (org, browser_id, seq) WHERE browser_id IS NOT NULL;
CREATE INDEX detections_by_last_activity_timestamp ON detections (org, last_activity_timestamp, seq);
CREATE INDEX detections_by_subject ON detections (org, subject, seq);

-- findings
ALTER TABLE findings RENAME TO findings_before;
CREATE TABLE findings (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT,
  state TEXT,
  employee_id TEXT,
  account_id TEXT,
  app_type TEXT,
  app_id TEXT,
  password_id TEXT,
  last_updated_timestamp INTEGER,
  owner TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO findings (place, org, unlisted, seq, id, type, state, employee_id, account_id, app_type, app_id, password_id, last_updated_timestamp, owner, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, type, state, employee_id, account_id, app_type, app_id, password_id, last_updated_timestamp, owner, record FROM findings_before ORDER BY org, unlisted, seq;
DROP TABLE findings_before;
CREATE UNIQUE INDEX findings_id ON findings (org, id);
CREATE INDEX findings_walk ON findings (org, unlisted, seq, last_updated_timestamp);
CREATE INDEX findings_by_type ON findings (org, type, seq);
CREATE INDEX findings_by_state ON findings (org, state, seq);
CREATE INDEX findings_by_employee_id ON findings (org, employee_id, seq) WHERE employee_id IS NOT NULL;
CREATE INDEX findings_by_account_id ON findings (org, account_id, seq) WHERE account_id IS NOT NULL;
CREATE INDEX findings_by_app_type ON findings (org, app_type, seq) WHERE app_type IS NOT NULL;
CREATE INDEX findings_by_app_id ON findings (org, app_id, seq) WHERE app_id IS NOT NULL;
CREATE INDEX findings_by_password_id ON findings (org, password_id, seq) WHERE password_id IS NOT NULL;
CREATE INDEX findings_by_last_updated_timestamp ON findings (org, last_updated_timestamp, seq);

-- blockedUrls
ALTER TABLE blocked_urls RENAME TO blocked_urls_before;
CREATE TABLE blocked_urls (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  url TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO blocked_urls (place, org, unlisted, seq, id, url, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, url, record FROM blocked_urls_before ORDER BY org, unlisted, seq;
DROP TABLE blocked_urls_before;
CREATE UNIQUE INDEX blocked_urls_id ON blocked_urls (org, id);
CREATE INDEX blocked_urls_walk ON blocked_urls (org, unlisted, seq);
CREATE INDEX blocked_urls_by_url ON blocked_urls (org, url, seq);

-- extensionGroups
ALTER TABLE extension_groups RENAME TO extension_groups_before;
CREATE TABLE extension_groups (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
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
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
INSERT OR ROLLBACK INTO extension_groups (place, org, unlisted, seq, id, risk, host_reach, source, blocked, browsers, people, risk_score, record)
  SELECT (org << 53) | (unlisted << 63) | seq, org, unlisted, seq, id, risk, host_reach, source, blocked, browsers, people, risk_score, record FROM extension_groups_before ORDER BY org, unlisted, seq;
DROP TABLE extension_groups_before;
CREATE UNIQUE INDEX extension_groups_id ON extension_groups (org, id);
CREATE INDEX extension_groups_walk ON extension_groups (org, unlisted, seq, browsers, people, risk_score);
CREATE INDEX extension_groups_by_risk ON extension_groups (org, risk, seq);
CREATE INDEX extension_groups_by_host_reach ON extension_groups (org, host_reach, seq);
CREATE INDEX extension_groups_by_source ON extension_groups (org, source, seq);
CREATE INDEX extension_groups_by_blocked ON extension_groups (org, blocked, seq);
CREATE INDEX extension_groups_by_browsers ON extension_groups (org, browsers, seq);
CREATE INDEX extension_groups_by_people ON extension_groups (org, people, seq);
CREATE INDEX extension_groups_by_risk_score ON extension_groups (org, risk_score, seq);

-- The audit trail
ALTER TABLE audit_events RENAME TO audit_events_before;
CREATE TABLE audit_events (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  object TEXT NOT NULL,
  actor TEXT NOT NULL,
  event TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  CHECK (place = (org << 53) | position)
) STRICT;
INSERT OR ROLLBACK INTO audit_events (place, org, position, id, timestamp, object, actor, event, previous_hash, hash)
  SELECT (org << 53) | position, org, position, id, timestamp, object, actor, event, previous_hash, hash FROM audit_events_before ORDER BY org, position;
DROP TABLE audit_events_before;
CREATE INDEX audit_events_by_time ON audit_events (org, timestamp, position, object, actor);

CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON audit_events
  BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

-- A REPLACE asks it, too, on connections whose triggers are recursive, as Muster's are.
CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
  BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
