-- Schema of the embedded store (SQLite).

-- ----------------------------------------------------------------------------
-- Organizations and settings
-- ----------------------------------------------------------------------------

-- A tenant. All other tables refer to it by `no`, a small number that fits into keys.
CREATE TABLE organizations (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  -- Version of the policy that agents poll for; raised by every change to it.
  policy_revision INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Settings of the installation, for example the fingerprint of the master key.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- Counter behind the sequence numbers (`seq`) of records.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO counters (name, value) VALUES ('records', 1);

-- The last day (since the UNIX epoch) for which each daily job ran.
CREATE TABLE daily_jobs (
  name TEXT PRIMARY KEY,
  day INTEGER NOT NULL,
  -- Set while a process runs the job. After this time another process may take it over.
  claimed_until_ms INTEGER
) STRICT;

-- ----------------------------------------------------------------------------
-- Administrators and sign-in to the console
-- ----------------------------------------------------------------------------

-- A person who can sign in to the console.
CREATE TABLE administrators (
  org INTEGER NOT NULL REFERENCES organizations (no),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  -- E-mail address in lower case.
  email_key TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT,
  totp_secret TEXT,
  -- Time step of the last accepted code, so a code works once.
  totp_last_step INTEGER,
  oidc_issuer TEXT,
  oidc_subject TEXT,
  creation_timestamp INTEGER NOT NULL,
  last_sign_in_timestamp INTEGER,
  PRIMARY KEY (org, id),
  UNIQUE (org, email_key)
) STRICT;
CREATE INDEX administrators_by_email ON administrators (email_key);
CREATE INDEX administrators_by_oidc ON administrators (oidc_issuer, oidc_subject) WHERE oidc_subject IS NOT NULL;

-- WebAuthn credentials of administrators.
CREATE TABLE passkeys (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  administrator_id TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  creation_timestamp INTEGER NOT NULL,
  last_used_timestamp INTEGER,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX passkeys_by_administrator ON passkeys (org, administrator_id);

-- Unused recovery codes of administrators, hashed.
CREATE TABLE recovery_codes (
  org INTEGER NOT NULL,
  administrator_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (org, administrator_id, hash)
) STRICT;

-- Sessions of the console, by the hash of their cookie.
CREATE TABLE console_sessions (
  hash TEXT PRIMARY KEY,
  org INTEGER NOT NULL,
  administrator_id TEXT NOT NULL,
  -- SECOND_FACTOR until the second factor is verified, then ACTIVE.
  stage TEXT NOT NULL,
  creation_timestamp INTEGER NOT NULL,
  last_seen_timestamp INTEGER NOT NULL,
  authenticated_timestamp INTEGER NOT NULL,
  -- Pending WebAuthn challenge.
  challenge TEXT,
  challenge_timestamp INTEGER,
  source_ip_address TEXT NOT NULL,
  user_agent TEXT
) STRICT;
CREATE INDEX console_sessions_by_administrator ON console_sessions (org, administrator_id);
CREATE INDEX console_sessions_by_age ON console_sessions (creation_timestamp);

-- Links for the first administrator, for invitations and for password resets. Removed when used.
CREATE TABLE invitations (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  email TEXT,
  email_key TEXT,
  role TEXT NOT NULL,
  administrator_id TEXT,
  invited_by TEXT,
  token_hash TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  expiration_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX invitations_by_email ON invitations (org, email_key);

-- Failed sign-in attempts, for lockouts. `name` identifies an account or an IP address.
CREATE TABLE sign_in_failures (
  name TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  last_timestamp INTEGER NOT NULL,
  locked_until_timestamp INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (last_timestamp);

-- List filters that an administrator has saved under a name.
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

-- ----------------------------------------------------------------------------
-- API
-- ----------------------------------------------------------------------------

-- API keys, by hash. `start` holds the first characters, for display.
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
  -- 1 once the expiry event was written.
  expiry_told INTEGER NOT NULL DEFAULT 0,
  -- ID of the key that replaced this one. A key can be rotated once.
  replaced_by TEXT,
  PRIMARY KEY (org, id)
) STRICT;
CREATE INDEX api_keys_by_untold_expiry ON api_keys (expiry_timestamp)
  WHERE expiry_told = 0 AND revoked_timestamp IS NULL;

-- Requests of each API key by hour.
CREATE TABLE api_key_hours (
  org INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  hour_timestamp INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (org, key_id, hour_timestamp)
) STRICT;
CREATE INDEX api_key_hours_by_age ON api_key_hours (hour_timestamp);

-- Responses to requests with an Idempotency-Key, replayed when the request is repeated.
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

-- Deprecated versions of the API.
CREATE TABLE api_deprecations (
  version TEXT PRIMARY KEY,
  notice_id TEXT NOT NULL,
  deprecation_timestamp INTEGER NOT NULL,
  sunset_timestamp INTEGER,
  changed_timestamp INTEGER NOT NULL
) STRICT;

-- ----------------------------------------------------------------------------
-- Records of the API
--
-- Each collection has one table with the same layout (layout.ts; a test compares them). `record` is the JSON that the
-- API returns. The other columns are copies of members that lists are filtered or sorted by, and internal columns that
-- the API does not show. `seq` is the order of creation. SQLite keys a row by `place`, which packs `org`, `unlisted`
-- and `seq` into one number. Rows with `unlisted` 1 are left out of lists
-- unless a filter asks for them. A table named collection_member holds the values of an array member, one row per
-- value.
-- ----------------------------------------------------------------------------

-- People of the organization.
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
  -- Recent logins with a typed password (JSON), for the finding PASSWORD_MANAGER_NOT_USED.
  typed_history TEXT,
  -- Name and address in lower case, for sorting and search.
  sort_name TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
CREATE UNIQUE INDEX employees_id ON employees (org, id);
CREATE INDEX employees_walk ON employees (org, unlisted, seq);
CREATE INDEX employees_by_department ON employees (org, department, seq) WHERE department IS NOT NULL;
CREATE INDEX employees_by_location ON employees (org, location, seq) WHERE location IS NOT NULL;
CREATE INDEX employees_by_licensed ON employees (org, licensed, seq);
CREATE INDEX employees_by_merged_into_id ON employees (org, merged_into_id, seq) WHERE merged_into_id IS NOT NULL;
CREATE INDEX employees_by_sort_name ON employees (org, sort_name, seq);

-- Groups of employees.
CREATE TABLE employees_groups (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- All e-mail addresses by which an employee is known, including those of merged employees.
CREATE TABLE employee_addresses (
  org INTEGER NOT NULL,
  address TEXT NOT NULL,
  employee_id TEXT NOT NULL,
  PRIMARY KEY (org, address)
) STRICT, WITHOUT ROWID;

-- Recognized apps: those in the product catalog.
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
  sort_name TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
CREATE UNIQUE INDEX apps_id ON apps (org, id);
CREATE INDEX apps_walk ON apps (org, unlisted, seq);
CREATE INDEX apps_by_type ON apps (org, type, seq);
CREATE INDEX apps_by_approval_status ON apps (org, approval_status, seq) WHERE approval_status IS NOT NULL;
CREATE INDEX apps_by_sensitivity_level ON apps (org, sensitivity_level, seq) WHERE sensitivity_level IS NOT NULL;
CREATE INDEX apps_by_owner_id ON apps (org, owner_id, seq) WHERE owner_id IS NOT NULL;
CREATE INDEX apps_by_sort_name ON apps (org, sort_name, seq);

-- Labels of apps.
CREATE TABLE apps_labels (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- Unrecognized apps, known by their domain.
CREATE TABLE apps_other (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  domain TEXT,
  request_support_status TEXT,
  hidden INTEGER,
  -- Domain in lower case.
  domain_key TEXT,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
CREATE UNIQUE INDEX apps_other_id ON apps_other (org, id);
CREATE INDEX apps_other_walk ON apps_other (org, unlisted, seq);
CREATE INDEX apps_other_by_request_support_status ON apps_other (org, request_support_status, seq);
CREATE INDEX apps_other_by_hidden ON apps_other (org, hidden, seq);
CREATE INDEX apps_other_by_domain_key ON apps_other (org, domain_key, seq);

-- Accounts in recognized apps.
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
  -- Employee that the account was observed with. `employee_id` is the primary after a merge.
  owner TEXT,
  -- App and e-mail address in lower case: finds the account of a reported login.
  login_key TEXT,
  -- Consecutive logins without a second factor.
  logins_without_mfa INTEGER,
  -- Time of the first of them.
  without_mfa_since INTEGER,
  -- Login methods that administrators removed, with times, so late reports do not restore them.
  methods_removed TEXT,
  -- 0 unknown, 1 registered, 2 not registered.
  mfa INTEGER,
  -- Bit set of login methods.
  login_methods INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
CREATE UNIQUE INDEX accounts_id ON accounts (org, id);
CREATE INDEX accounts_walk ON accounts (org, unlisted, seq, last_used_timestamp);
CREATE INDEX accounts_by_app_type ON accounts (org, app_type, seq);
CREATE INDEX accounts_by_app_id ON accounts (org, app_id, seq);
CREATE INDEX accounts_by_employee_id ON accounts (org, employee_id, seq);
CREATE INDEX accounts_by_password_id ON accounts (org, password_id, seq) WHERE password_id IS NOT NULL;
CREATE INDEX accounts_by_last_used_timestamp ON accounts (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;
CREATE INDEX accounts_by_login_key ON accounts (org, login_key, seq);
CREATE INDEX accounts_by_mfa ON accounts (org, mfa, seq);
CREATE INDEX accounts_by_login_methods ON accounts (org, login_methods, seq);

-- Use of a shared account by an employee.
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
CREATE UNIQUE INDEX used_by_id ON used_by (org, id);
CREATE INDEX used_by_walk ON used_by (org, unlisted, seq);
CREATE INDEX used_by_by_account_id ON used_by (org, account_id, seq);
CREATE INDEX used_by_by_employee_id ON used_by (org, employee_id, seq);

-- Accounts in unrecognized apps.
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
  login_methods INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
CREATE UNIQUE INDEX accounts_other_id ON accounts_other (org, id);
CREATE INDEX accounts_other_walk ON accounts_other (org, unlisted, seq, last_used_timestamp);
CREATE INDEX accounts_other_by_employee_id ON accounts_other (org, employee_id, seq);
CREATE INDEX accounts_other_by_other_app_id ON accounts_other (org, other_app_id, seq);
CREATE INDEX accounts_other_by_last_used_timestamp ON accounts_other (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;
CREATE INDEX accounts_other_by_login_key ON accounts_other (org, login_key, seq);
CREATE INDEX accounts_other_by_password_id ON accounts_other (org, password_id, seq);
CREATE INDEX accounts_other_by_login_methods ON accounts_other (org, login_methods, seq);

-- Enrolled browsers.
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
  -- Time of the event that the browser’s facts are from; older events do not overwrite them.
  facts_timestamp INTEGER,
  -- The same for the list of extensions.
  extensions_timestamp INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
CREATE UNIQUE INDEX browsers_id ON browsers (org, id);
CREATE INDEX browsers_walk ON browsers (org, unlisted, seq, last_online_timestamp);
CREATE INDEX browsers_by_employee_id ON browsers (org, employee_id, seq);
CREATE INDEX browsers_by_browser ON browsers (org, browser, seq);
CREATE INDEX browsers_by_os ON browsers (org, os, seq);
CREATE INDEX browsers_by_token_type ON browsers (org, token_type, seq);
CREATE INDEX browsers_by_is_active ON browsers (org, is_active, seq);
CREATE INDEX browsers_by_last_online_timestamp ON browsers (org, last_online_timestamp, seq);

-- Extensions installed in browsers.
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
CREATE UNIQUE INDEX browser_extensions_id ON browser_extensions (org, id);
CREATE INDEX browser_extensions_walk ON browser_extensions (org, unlisted, seq);
CREATE INDEX browser_extensions_by_extension_id ON browser_extensions (org, extension_id, seq);
CREATE INDEX browser_extensions_by_employee_id ON browser_extensions (org, employee_id, seq);
CREATE INDEX browser_extensions_by_browser_id ON browser_extensions (org, browser_id, seq);
CREATE INDEX browser_extensions_by_deployment_mode ON browser_extensions (org, deployment_mode, seq);
CREATE INDEX browser_extensions_by_enabled ON browser_extensions (org, enabled, seq);

-- Permissions of installed extensions.
CREATE TABLE browser_extensions_permissions (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- Host permissions of installed extensions.
CREATE TABLE browser_extensions_host_permissions (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- Security events such as a visit to a phishing page.
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
  -- Identifies repetitions of the same event, which update one detection.
  subject TEXT,
  -- Time of the last event, by the clock of the browser.
  observed_activity INTEGER,
  -- Time of the first event.
  observed_since INTEGER,
  -- 1 LOW to 4 CRITICAL, for sorting.
  severity_rank INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
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
CREATE INDEX detections_by_severity_rank ON detections (org, severity_rank, seq);

-- Problems such as a weak or reused password.
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

-- URL patterns that agents block. `url` holds a hash if the pattern is long.
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
CREATE UNIQUE INDEX blocked_urls_id ON blocked_urls (org, id);
CREATE INDEX blocked_urls_walk ON blocked_urls (org, unlisted, seq);
CREATE INDEX blocked_urls_by_url ON blocked_urls (org, url, seq);

-- Extensions summed up over all browsers (console only), recounted in the background.
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
CREATE UNIQUE INDEX extension_groups_id ON extension_groups (org, id);
CREATE INDEX extension_groups_walk ON extension_groups (org, unlisted, seq, browsers, people, risk_score);
CREATE INDEX extension_groups_by_risk ON extension_groups (org, risk, seq);
CREATE INDEX extension_groups_by_host_reach ON extension_groups (org, host_reach, seq);
CREATE INDEX extension_groups_by_source ON extension_groups (org, source, seq);
CREATE INDEX extension_groups_by_blocked ON extension_groups (org, blocked, seq);
CREATE INDEX extension_groups_by_browsers ON extension_groups (org, browsers, seq);
CREATE INDEX extension_groups_by_people ON extension_groups (org, people, seq);
CREATE INDEX extension_groups_by_risk_score ON extension_groups (org, risk_score, seq);

-- Permissions of extensions.
CREATE TABLE extension_groups_permissions (
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- State of the recount for each organization.
CREATE TABLE extension_counts (
  org INTEGER PRIMARY KEY,
  begun_ms INTEGER NOT NULL,
  counted_ms INTEGER,
  took_ms INTEGER
) STRICT;

-- Names of extensions in lower case, for search.
CREATE TABLE extension_names (
  org INTEGER NOT NULL,
  extension_id TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (org, extension_id, name)
) STRICT, WITHOUT ROWID;

-- Indexes for substring search. New texts wait in waiting_substrings and are indexed in batches.
CREATE VIRTUAL TABLE employees_email_substrings USING fts5(
  value,
  content='',
  contentless_delete=1,
  detail=none,
  tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE apps_other_domain_substrings USING fts5(
  value,
  content='',
  contentless_delete=1,
  detail=none,
  tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE accounts_email_substrings USING fts5(
  value,
  content='',
  contentless_delete=1,
  detail=none,
  tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE accounts_other_email_substrings USING fts5(
  value,
  content='',
  contentless_delete=1,
  detail=none,
  tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE browsers_email_substrings USING fts5(
  value,
  content='',
  contentless_delete=1,
  detail=none,
  tokenize='trigram case_sensitive 1'
);
CREATE TABLE waiting_substrings (
  index_name TEXT NOT NULL,
  place INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (index_name, place)
) STRICT, WITHOUT ROWID;

-- ----------------------------------------------------------------------------
-- Agents
-- ----------------------------------------------------------------------------

-- Links that enroll one browser of an employee, by the hash of their token.
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

-- Tokens by which managed browsers enroll themselves.
CREATE TABLE enrollment_tokens (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  revoked_timestamp INTEGER,
  PRIMARY KEY (org, id)
) STRICT;

-- Credentials of enrolled browsers, hashed.
CREATE TABLE browser_credentials (
  org INTEGER NOT NULL,
  browser_id TEXT NOT NULL,
  employee_id TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  creation_timestamp INTEGER NOT NULL,
  revoked_timestamp INTEGER,
  -- Last call of a browser whose employee has no license. Keeps the credential; the record does not show such calls.
  dormant_call_timestamp INTEGER,
  PRIMARY KEY (org, browser_id)
) STRICT;

-- Protection settings of an organization as JSON: rules, modes, texts.
CREATE TABLE controls (
  org INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  updated_timestamp INTEGER NOT NULL
) STRICT;

-- Products that the organization added to the product catalog, as JSON.
CREATE TABLE catalog_products (
  org INTEGER NOT NULL,
  app_type TEXT NOT NULL,
  product TEXT NOT NULL,
  PRIMARY KEY (org, app_type)
) STRICT;

-- Credentials known to be stolen. The address can be looked up by its HMAC; the password is hashed.
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

-- Weeks with a table of raw agent events (raw-event-tables.ts). Old weeks are dropped as a whole.
CREATE TABLE raw_event_weeks (
  week INTEGER PRIMARY KEY,
  creation_timestamp INTEGER NOT NULL
) STRICT;

-- Progress of imports from another server, to resume them.
CREATE TABLE import_positions (
  org INTEGER NOT NULL,
  source TEXT NOT NULL,
  resource TEXT NOT NULL,
  position TEXT NOT NULL,
  PRIMARY KEY (org, source, resource)
) STRICT;

-- ----------------------------------------------------------------------------
-- Events and webhooks
--
-- Event IDs are UUIDv7: ordered by time, so a range of IDs is a range of time.
-- ----------------------------------------------------------------------------

-- Events to deliver. Written only if a webhook or stream subscribes to them.
CREATE TABLE events (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  object TEXT NOT NULL,
  category TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (org, id)
) STRICT;

-- Webhook endpoints. Columns *_sealed are encrypted with the master key.
CREATE TABLE webhooks (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT,
  url TEXT NOT NULL,
  categories TEXT NOT NULL,
  objects TEXT NOT NULL,
  headers_sealed TEXT,
  secret_sealed TEXT,
  previous_secret_sealed TEXT,
  previous_secret_until INTEGER,
  enabled INTEGER NOT NULL,
  disabled_reason TEXT,
  creation_timestamp INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  PRIMARY KEY (org, id)
) STRICT;

-- Event types that each enabled webhook subscribes to.
CREATE TABLE webhook_wishes (
  org INTEGER NOT NULL,
  object TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  PRIMARY KEY (org, object, webhook_id)
) STRICT, WITHOUT ROWID;

-- Deliveries of events to webhooks. A process that takes one sets `lease` and moves `due_ms` ahead; if the process
-- dies,
-- the delivery becomes due again.
CREATE TABLE webhook_deliveries (
  org INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  lease TEXT,
  PRIMARY KEY (org, webhook_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (org, webhook_id, due_ms, event_id) WHERE state = 'PENDING';
CREATE INDEX webhook_deliveries_by_failure ON webhook_deliveries (org, webhook_id, event_id) WHERE state = 'FAILED';

-- Attempts of each delivery, with the response.
CREATE TABLE webhook_attempts (
  org INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  status INTEGER,
  latency_ms INTEGER NOT NULL,
  answer TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (org, webhook_id, event_id, attempt)
) STRICT, WITHOUT ROWID;

-- Attempts by hour. `forgiven` failures happened before the webhook was enabled again and no longer count.
CREATE TABLE webhook_hours (
  org INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  hour_timestamp INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  forgiven INTEGER NOT NULL DEFAULT 0,
  latency_ms_sum INTEGER NOT NULL,
  PRIMARY KEY (org, webhook_id, hour_timestamp)
) STRICT, WITHOUT ROWID;

-- Process that delivers a stream (file, syslog). One at a time keeps the order.
CREATE TABLE stream_leases (
  kind TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Last success and last error of each stream.
CREATE TABLE stream_states (
  kind TEXT NOT NULL,
  org INTEGER NOT NULL,
  delivered_ms INTEGER,
  failed_ms INTEGER,
  error TEXT,
  PRIMARY KEY (org, kind)
) STRICT, WITHOUT ROWID;

-- E-mails and messages to administrators, each sent once.
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

-- ----------------------------------------------------------------------------
-- Audit trail
--
-- Append-only. Each row holds the hash of the row before it.
-- ----------------------------------------------------------------------------

-- Newest link of each chain. Kept apart to detect rows that were cut off at the end.
CREATE TABLE audit_heads (
  org INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

-- Links of the chains.
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
CREATE INDEX audit_events_by_time ON audit_events (org, timestamp, position, object, actor);

CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON audit_events
  BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
  END;

-- Fires for REPLACE, too: Muster's connections have recursive_triggers on.
CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
  BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
  END;
