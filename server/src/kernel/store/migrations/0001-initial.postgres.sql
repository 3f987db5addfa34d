CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE organizations (
  no bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL
);

CREATE TABLE api_keys (
  org bigint NOT NULL REFERENCES organizations (no),
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  permission text COLLATE "C" NOT NULL,
  start text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  expiry_timestamp bigint,
  last_used_timestamp bigint,
  revoked_timestamp bigint,
  PRIMARY KEY (org, id)
);

CREATE TABLE idempotency_keys (
  org bigint NOT NULL,
  holder text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash text COLLATE "C" NOT NULL,
  status bigint NOT NULL,
  body text COLLATE "C" NOT NULL,
  creation_timestamp bigint NOT NULL,
  PRIMARY KEY (org, holder, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (creation_timestamp);

CREATE TABLE employee_addresses (
  org bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, address)
);

CREATE TABLE enrollment_links (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  expiration_timestamp bigint NOT NULL,
  used_timestamp bigint,
  revoked_timestamp bigint,
  PRIMARY KEY (org, id)
);
CREATE INDEX enrollment_links_by_employee ON enrollment_links (org, employee_id);

CREATE TABLE stolen_credentials (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  source text COLLATE "C",
  address_hmac text COLLATE "C" NOT NULL,
  address_encrypted text COLLATE "C" NOT NULL,
  salt text COLLATE "C" NOT NULL,
  iterations bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  creation_timestamp bigint NOT NULL,
  PRIMARY KEY (org, id),
  UNIQUE (org, address_hmac, hash)
);

CREATE TABLE import_positions (
  org bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  position text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, source, resource)
);

CREATE TABLE settings (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

CREATE SEQUENCE record_numbers MINVALUE 1 START 1;

-- employees
CREATE TABLE employees (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  department text COLLATE "C",
  location text COLLATE "C",
  licensed bigint,
  merged_into_id text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX employees_id ON employees (org, id);
CREATE INDEX employees_walk ON employees (org, unlisted, seq);
CREATE INDEX employees_by_email ON employees USING gin ((org + 0), email gin_trgm_ops);
CREATE INDEX employees_by_department ON employees (org, department, seq) WHERE department IS NOT NULL;
CREATE INDEX employees_by_location ON employees (org, location, seq) WHERE location IS NOT NULL;
CREATE INDEX employees_by_licensed ON employees (org, licensed, seq);
CREATE INDEX employees_by_merged_into_id ON employees (org, merged_into_id, seq) WHERE merged_into_id IS NOT NULL;
CREATE TABLE employees_groups (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- apps
CREATE TABLE apps (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C",
  approval_status text COLLATE "C",
  sensitivity_level text COLLATE "C",
  owner_id text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX apps_id ON apps (org, id);
CREATE INDEX apps_walk ON apps (org, unlisted, seq);
CREATE INDEX apps_by_type ON apps (org, type, seq);
CREATE INDEX apps_by_approval_status ON apps (org, approval_status, seq) WHERE approval_status IS NOT NULL;
CREATE INDEX apps_by_sensitivity_level ON apps (org, sensitivity_level, seq) WHERE sensitivity_level IS NOT NULL;
CREATE INDEX apps_by_owner_id ON apps (org, owner_id, seq) WHERE owner_id IS NOT NULL;
CREATE TABLE apps_labels (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- appsOther
CREATE TABLE apps_other (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  domain text COLLATE "C",
  request_support_status text COLLATE "C",
  hidden bigint,
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX apps_other_id ON apps_other (org, id);
CREATE INDEX apps_other_walk ON apps_other (org, unlisted, seq);
CREATE INDEX apps_other_by_domain ON apps_other USING gin ((org + 0), domain gin_trgm_ops);
CREATE INDEX apps_other_by_request_support_status ON apps_other (org, request_support_status, seq);
CREATE INDEX apps_other_by_hidden ON apps_other (org, hidden, seq);

-- accounts
CREATE TABLE accounts (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  app_type text COLLATE "C",
  app_id text COLLATE "C",
  employee_id text COLLATE "C",
  password_id text COLLATE "C",
  last_used_timestamp bigint,
  owner text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX accounts_id ON accounts (org, id);
CREATE INDEX accounts_walk ON accounts (org, unlisted, seq) INCLUDE (last_used_timestamp);
CREATE INDEX accounts_by_email ON accounts USING gin ((org + 0), email gin_trgm_ops);
CREATE INDEX accounts_by_app_type ON accounts (org, app_type, seq);
CREATE INDEX accounts_by_app_id ON accounts (org, app_id, seq);
CREATE INDEX accounts_by_employee_id ON accounts (org, employee_id, seq);
CREATE INDEX accounts_by_password_id ON accounts (org, password_id, seq) WHERE password_id IS NOT NULL;
CREATE INDEX accounts_by_last_used_timestamp ON accounts (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;

-- usedBy
CREATE TABLE used_by (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  employee_id text COLLATE "C",
  owner text COLLATE "C",
  observed_last_used bigint,
  observed_typed bigint,
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX used_by_id ON used_by (org, id);
CREATE INDEX used_by_walk ON used_by (org, unlisted, seq);
CREATE INDEX used_by_by_account_id ON used_by (org, account_id, seq);
CREATE INDEX used_by_by_employee_id ON used_by (org, employee_id, seq);

-- accountsOther
CREATE TABLE accounts_other (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  employee_id text COLLATE "C",
  other_app_id text COLLATE "C",
  last_used_timestamp bigint,
  owner text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX accounts_other_id ON accounts_other (org, id);
CREATE INDEX accounts_other_walk ON accounts_other (org, unlisted, seq) INCLUDE (last_used_timestamp);
CREATE INDEX accounts_other_by_email ON accounts_other USING gin ((org + 0), email gin_trgm_ops);
CREATE INDEX accounts_other_by_employee_id ON accounts_other (org, employee_id, seq);
CREATE INDEX accounts_other_by_other_app_id ON accounts_other (org, other_app_id, seq);
CREATE INDEX accounts_other_by_last_used_timestamp ON accounts_other (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;

-- browsers
CREATE TABLE browsers (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C",
  email text COLLATE "C",
  browser text COLLATE "C",
  os text COLLATE "C",
  token_type text COLLATE "C",
  is_active bigint,
  last_online_timestamp bigint,
  owner text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX browsers_id ON browsers (org, id);
CREATE INDEX browsers_walk ON browsers (org, unlisted, seq) INCLUDE (last_online_timestamp);
CREATE INDEX browsers_by_employee_id ON browsers (org, employee_id, seq);
CREATE INDEX browsers_by_email ON browsers USING gin ((org + 0), email gin_trgm_ops);
CREATE INDEX browsers_by_browser ON browsers (org, browser, seq);
CREATE INDEX browsers_by_os ON browsers (org, os, seq);
CREATE INDEX browsers_by_token_type ON browsers (org, token_type, seq);
CREATE INDEX browsers_by_is_active ON browsers (org, is_active, seq);
CREATE INDEX browsers_by_last_online_timestamp ON browsers (org, last_online_timestamp, seq);

-- browserExtensions
CREATE TABLE browser_extensions (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  extension_id text COLLATE "C",
  employee_id text COLLATE "C",
  browser_id text COLLATE "C",
  deployment_mode text COLLATE "C",
  enabled bigint,
  owner text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX browser_extensions_id ON browser_extensions (org, id);
CREATE INDEX browser_extensions_walk ON browser_extensions (org, unlisted, seq);
CREATE INDEX browser_extensions_by_extension_id ON browser_extensions (org, extension_id, seq);
CREATE INDEX browser_extensions_by_employee_id ON browser_extensions (org, employee_id, seq);
CREATE INDEX browser_extensions_by_browser_id ON browser_extensions (org, browser_id, seq);
CREATE INDEX browser_extensions_by_deployment_mode ON browser_extensions (org, deployment_mode, seq);
CREATE INDEX browser_extensions_by_enabled ON browser_extensions (org, enabled, seq);
CREATE TABLE browser_extensions_permissions (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);
CREATE TABLE browser_extensions_host_permissions (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- detections
CREATE TABLE detections (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  detection_type text COLLATE "C",
  severity text COLLATE "C",
  response text COLLATE "C",
  classification text COLLATE "C",
  archived bigint,
  employee_id text COLLATE "C",
  browser_id text COLLATE "C",
  last_activity_timestamp bigint,
  owner text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX detections_id ON detections (org, id);
CREATE INDEX detections_walk ON detections (org, unlisted, seq) INCLUDE (last_activity_timestamp);
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
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C",
  state text COLLATE "C",
  employee_id text COLLATE "C",
  account_id text COLLATE "C",
  app_type text COLLATE "C",
  app_id text COLLATE "C",
  password_id text COLLATE "C",
  last_updated_timestamp bigint,
  owner text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX findings_id ON findings (org, id);
CREATE INDEX findings_walk ON findings (org, unlisted, seq) INCLUDE (last_updated_timestamp);
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
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX blocked_urls_id ON blocked_urls (org, id);
CREATE INDEX blocked_urls_walk ON blocked_urls (org, unlisted, seq);
CREATE INDEX blocked_urls_by_url ON blocked_urls (org, url, seq);
