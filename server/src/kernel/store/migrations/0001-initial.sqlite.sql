CREATE TABLE organizations (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  org INTEGER NOT NULL REFERENCES organizations (no),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  holder TEXT NOT NULL,
  permission TEXT NOT NULL,
  start TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  expiry_timestamp INTEGER,
  last_used_timestamp INTEGER,
  revoked_timestamp INTEGER,
  PRIMARY KEY (org, id)
) STRICT;

CREATE TABLE idempotency_keys (
  org INTEGER NOT NULL,
  holder TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  creation_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, holder, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (creation_timestamp);

CREATE TABLE employee_addresses (
  org INTEGER NOT NULL,
  address TEXT NOT NULL,
  employee_id TEXT NOT NULL,
  PRIMARY KEY (org, address)
) STRICT;

CREATE TABLE enrollment_links (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  employee_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  expiration_timestamp INTEGER NOT NULL,
  used_timestamp INTEGER,
  revoked_timestamp INTEGER,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX enrollment_links_by_employee ON enrollment_links (org, employee_id);

CREATE TABLE stolen_credentials (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  source TEXT,
  address_hmac TEXT NOT NULL,
  address_encrypted TEXT NOT NULL,
  salt TEXT NOT NULL,
  iterations INTEGER NOT NULL,
  hash TEXT NOT NULL,
  creation_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, id),
  UNIQUE (org, address_hmac, hash)
) STRICT;

CREATE TABLE import_positions (
  org INTEGER NOT NULL,
  source TEXT NOT NULL,
  resource TEXT NOT NULL,
  position TEXT NOT NULL,
  PRIMARY KEY (org, source, resource)
) STRICT;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO counters (name, value) VALUES ('records', 1);

-- employees
CREATE TABLE employees (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  email TEXT,
  department TEXT,
  location TEXT,
  licensed INTEGER,
  merged_into_id TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX employees_id ON employees (org, id);
CREATE INDEX employees_walk ON employees (org, unlisted, seq);
CREATE VIRTUAL TABLE employees_email_substrings USING fts5(value, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
CREATE INDEX employees_by_department ON employees (org, department, seq) WHERE department IS NOT NULL;
CREATE INDEX employees_by_location ON employees (org, location, seq) WHERE location IS NOT NULL;
CREATE INDEX employees_by_licensed ON employees (org, licensed, seq);
CREATE INDEX employees_by_merged_into_id ON employees (org, merged_into_id, seq) WHERE merged_into_id IS NOT NULL;
CREATE TABLE employees_groups (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- apps
CREATE TABLE apps (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT,
  approval_status TEXT,
  sensitivity_level TEXT,
  owner_id TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX apps_id ON apps (org, id);
CREATE INDEX apps_walk ON apps (org, unlisted, seq);
CREATE INDEX apps_by_type ON apps (org, type, seq);
CREATE INDEX apps_by_approval_status ON apps (org, approval_status, seq) WHERE approval_status IS NOT NULL;
CREATE INDEX apps_by_sensitivity_level ON apps (org, sensitivity_level, seq) WHERE sensitivity_level IS NOT NULL;
CREATE INDEX apps_by_owner_id ON apps (org, owner_id, seq) WHERE owner_id IS NOT NULL;
CREATE TABLE apps_labels (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- appsOther
CREATE TABLE apps_other (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  domain TEXT,
  request_support_status TEXT,
  hidden INTEGER,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX apps_other_id ON apps_other (org, id);
CREATE INDEX apps_other_walk ON apps_other (org, unlisted, seq);
CREATE VIRTUAL TABLE apps_other_domain_substrings USING fts5(value, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
CREATE INDEX apps_other_by_request_support_status ON apps_other (org, request_support_status, seq);
CREATE INDEX apps_other_by_hidden ON apps_other (org, hidden, seq);

-- accounts
CREATE TABLE accounts (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  email TEXT,
  app_type TEXT,
  app_id TEXT,
  employee_id TEXT,
  password_id TEXT,
  last_used_timestamp INTEGER,
  owner TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX accounts_id ON accounts (org, id);
CREATE INDEX accounts_walk ON accounts (org, unlisted, seq, last_used_timestamp);
CREATE VIRTUAL TABLE accounts_email_substrings USING fts5(value, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
CREATE INDEX accounts_by_app_type ON accounts (org, app_type, seq);
CREATE INDEX accounts_by_app_id ON accounts (org, app_id, seq);
CREATE INDEX accounts_by_employee_id ON accounts (org, employee_id, seq);
CREATE INDEX accounts_by_password_id ON accounts (org, password_id, seq) WHERE password_id IS NOT NULL;
CREATE INDEX accounts_by_last_used_timestamp ON accounts (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;

-- usedBy
CREATE TABLE used_by (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT,
  employee_id TEXT,
  owner TEXT,
  observed_last_used INTEGER,
  observed_typed INTEGER,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX used_by_id ON used_by (org, id);
CREATE INDEX used_by_walk ON used_by (org, unlisted, seq);
CREATE INDEX used_by_by_account_id ON used_by (org, account_id, seq);
CREATE INDEX used_by_by_employee_id ON used_by (org, employee_id, seq);

-- accountsOther
CREATE TABLE accounts_other (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  email TEXT,
  employee_id TEXT,
  other_app_id TEXT,
  last_used_timestamp INTEGER,
  owner TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX accounts_other_id ON accounts_other (org, id);
CREATE INDEX accounts_other_walk ON accounts_other (org, unlisted, seq, last_used_timestamp);
CREATE VIRTUAL TABLE accounts_other_email_substrings USING fts5(value, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
CREATE INDEX accounts_other_by_employee_id ON accounts_other (org, employee_id, seq);
CREATE INDEX accounts_other_by_other_app_id ON accounts_other (org, other_app_id, seq);
CREATE INDEX accounts_other_by_last_used_timestamp ON accounts_other (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;

-- browsers
CREATE TABLE browsers (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
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
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX browsers_id ON browsers (org, id);
CREATE INDEX browsers_walk ON browsers (org, unlisted, seq, last_online_timestamp);
CREATE INDEX browsers_by_employee_id ON browsers (org, employee_id, seq);
CREATE VIRTUAL TABLE browsers_email_substrings USING fts5(value, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1');
CREATE INDEX browsers_by_browser ON browsers (org, browser, seq);
CREATE INDEX browsers_by_os ON browsers (org, os, seq);
CREATE INDEX browsers_by_token_type ON browsers (org, token_type, seq);
CREATE INDEX browsers_by_is_active ON browsers (org, is_active, seq);
CREATE INDEX browsers_by_last_online_timestamp ON browsers (org, last_online_timestamp, seq);

-- browserExtensions
CREATE TABLE browser_extensions (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  extension_id TEXT,
  employee_id TEXT,
  browser_id TEXT,
  deployment_mode TEXT,
  enabled INTEGER,
  owner TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX browser_extensions_id ON browser_extensions (org, id);
CREATE INDEX browser_extensions_walk ON browser_extensions (org, unlisted, seq);
CREATE INDEX browser_extensions_by_extension_id ON browser_extensions (org, extension_id, seq);
CREATE INDEX browser_extensions_by_employee_id ON browser_extensions (org, employee_id, seq);
CREATE INDEX browser_extensions_by_browser_id ON browser_extensions (org, browser_id, seq);
CREATE INDEX browser_extensions_by_deployment_mode ON browser_extensions (org, deployment_mode, seq);
CREATE INDEX browser_extensions_by_enabled ON browser_extensions (org, enabled, seq);
CREATE TABLE browser_extensions_permissions (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE browser_extensions_host_permissions (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- detections
CREATE TABLE detections (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
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
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
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

-- findings
CREATE TABLE findings (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
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
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE blocked_urls (
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL DEFAULT 0,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  url TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX blocked_urls_id ON blocked_urls (org, id);
CREATE INDEX blocked_urls_walk ON blocked_urls (org, unlisted, seq);
CREATE INDEX blocked_urls_by_url ON blocked_urls (org, url, seq);
