-- Schema for PostgreSQL. COLLATE "C" sorts as SQLite does: by bytes.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- ----------------------------------------------------------------------------
-- Organizations and settings
-- ----------------------------------------------------------------------------

-- A tenant. All other tables refer to it by `no`, a small number that fits into keys.
CREATE TABLE organizations (
  no bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  -- Version of the policy that agents poll for; raised by every change to it.
  policy_revision bigint NOT NULL DEFAULT 0
);

-- Settings of the installation, for example the fingerprint of the master key.
CREATE TABLE settings (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

-- Counter behind the sequence numbers (`seq`) of records.
CREATE SEQUENCE record_numbers MINVALUE 1 START 1;

-- The last day (since the UNIX epoch) for which each daily job ran.
CREATE TABLE daily_jobs (
  name text COLLATE "C" PRIMARY KEY,
  day bigint NOT NULL,
  -- Set while a process runs the job. After this time another process may take it over.
  claimed_until_ms bigint
);

-- ----------------------------------------------------------------------------
-- Administrators and sign-in to the console
-- ----------------------------------------------------------------------------

-- A person who can sign in to the console.
CREATE TABLE administrators (
  org bigint NOT NULL REFERENCES organizations (no),
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  -- E-mail address in lower case.
  email_key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C",
  totp_secret text COLLATE "C",
  -- Time step of the last accepted code, so a code works once.
  totp_last_step bigint,
  oidc_issuer text COLLATE "C",
  oidc_subject text COLLATE "C",
  creation_timestamp bigint NOT NULL,
  last_sign_in_timestamp bigint,
  PRIMARY KEY (org, id),
  UNIQUE (org, email_key)
);
CREATE INDEX administrators_by_email ON administrators (email_key);
CREATE INDEX administrators_by_oidc ON administrators (oidc_issuer, oidc_subject) WHERE oidc_subject IS NOT NULL;

-- WebAuthn credentials of administrators.
CREATE TABLE passkeys (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL UNIQUE,
  public_key text COLLATE "C" NOT NULL,
  counter bigint NOT NULL,
  transports text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  creation_timestamp bigint NOT NULL,
  last_used_timestamp bigint,
  PRIMARY KEY (org, id)
);
CREATE INDEX passkeys_by_administrator ON passkeys (org, administrator_id);

-- Unused recovery codes of administrators, hashed.
CREATE TABLE recovery_codes (
  org bigint NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, administrator_id, hash)
);

-- Sessions of the console, by the hash of their cookie.
CREATE TABLE console_sessions (
  hash text COLLATE "C" PRIMARY KEY,
  org bigint NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  -- SECOND_FACTOR until the second factor is verified, then ACTIVE.
  stage text COLLATE "C" NOT NULL,
  creation_timestamp bigint NOT NULL,
  last_seen_timestamp bigint NOT NULL,
  authenticated_timestamp bigint NOT NULL,
  -- Pending WebAuthn challenge.
  challenge text COLLATE "C",
  challenge_timestamp bigint,
  source_ip_address text COLLATE "C" NOT NULL,
  user_agent text COLLATE "C"
);
CREATE INDEX console_sessions_by_administrator ON console_sessions (org, administrator_id);
CREATE INDEX console_sessions_by_age ON console_sessions (creation_timestamp);

-- Links for the first administrator, for invitations and for password resets. Removed when used.
CREATE TABLE invitations (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  email_key text COLLATE "C",
  role text COLLATE "C" NOT NULL,
  administrator_id text COLLATE "C",
  invited_by text COLLATE "C",
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  expiration_timestamp bigint NOT NULL,
  PRIMARY KEY (org, id)
);
CREATE INDEX invitations_by_email ON invitations (org, email_key);

-- Failed sign-in attempts, for lockouts. `name` identifies an account or an IP address.
CREATE TABLE sign_in_failures (
  name text COLLATE "C" PRIMARY KEY,
  failures bigint NOT NULL,
  last_timestamp bigint NOT NULL,
  locked_until_timestamp bigint NOT NULL
);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (last_timestamp);

-- List filters that an administrator has saved under a name.
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

-- ----------------------------------------------------------------------------
-- API
-- ----------------------------------------------------------------------------

-- API keys, by hash. `start` holds the first characters, for display.
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
  -- 1 once the expiry event was written.
  expiry_told bigint NOT NULL DEFAULT 0,
  -- ID of the key that replaced this one. A key can be rotated once.
  replaced_by text COLLATE "C",
  PRIMARY KEY (org, id)
);
CREATE INDEX api_keys_by_untold_expiry ON api_keys (expiry_timestamp)
  WHERE expiry_told = 0 AND revoked_timestamp IS NULL;

-- Requests of each API key by hour.
CREATE TABLE api_key_hours (
  org bigint NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  hour_timestamp bigint NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (org, key_id, hour_timestamp)
);
CREATE INDEX api_key_hours_by_age ON api_key_hours (hour_timestamp);

-- Responses to requests with an Idempotency-Key, replayed when the request is repeated.
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

-- Deprecated versions of the API.
CREATE TABLE api_deprecations (
  version text COLLATE "C" PRIMARY KEY,
  notice_id text COLLATE "C" NOT NULL,
  deprecation_timestamp bigint NOT NULL,
  sunset_timestamp bigint,
  changed_timestamp bigint NOT NULL
);

-- ----------------------------------------------------------------------------
-- Records of the API
--
-- Each collection has one table with the same layout (layout.ts; a test compares them). `record` is the JSON that the
-- API returns. The other columns are copies of members that lists are filtered or sorted by, and internal columns that
-- the API does not show. `seq` is the order of creation. Rows with `unlisted` 1 are left out of lists
-- unless a filter asks for them. A table named collection_member holds the values of an array member, one row per
-- value.
-- ----------------------------------------------------------------------------

-- People of the organization.
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
  -- Recent logins with a typed password (JSON), for the finding PASSWORD_MANAGER_NOT_USED.
  typed_history text COLLATE "C",
  -- Name and address in lower case, for sorting and search.
  sort_name text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX employees_id ON employees (org, id);
CREATE INDEX employees_walk ON employees (org, unlisted, seq);
CREATE INDEX employees_by_department ON employees (org, department, seq) WHERE department IS NOT NULL;
CREATE INDEX employees_by_location ON employees (org, location, seq) WHERE location IS NOT NULL;
CREATE INDEX employees_by_licensed ON employees (org, licensed, seq);
CREATE INDEX employees_by_merged_into_id ON employees (org, merged_into_id, seq) WHERE merged_into_id IS NOT NULL;
CREATE INDEX employees_by_sort_name ON employees (org, sort_name, seq);
CREATE INDEX employees_by_email ON employees USING gin ((org + 0), email gin_trgm_ops);

-- Groups of employees.
CREATE TABLE employees_groups (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- All e-mail addresses by which an employee is known, including those of merged employees.
CREATE TABLE employee_addresses (
  org bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, address)
);

-- Recognized apps: those in the product catalog.
CREATE TABLE apps (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C",
  approval_status text COLLATE "C",
  sensitivity_level text COLLATE "C",
  owner_id text COLLATE "C",
  sort_name text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX apps_id ON apps (org, id);
CREATE INDEX apps_walk ON apps (org, unlisted, seq);
CREATE INDEX apps_by_type ON apps (org, type, seq);
CREATE INDEX apps_by_approval_status ON apps (org, approval_status, seq) WHERE approval_status IS NOT NULL;
CREATE INDEX apps_by_sensitivity_level ON apps (org, sensitivity_level, seq) WHERE sensitivity_level IS NOT NULL;
CREATE INDEX apps_by_owner_id ON apps (org, owner_id, seq) WHERE owner_id IS NOT NULL;
CREATE INDEX apps_by_sort_name ON apps (org, sort_name, seq);

-- Labels of apps.
CREATE TABLE apps_labels (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- Unrecognized apps, known by their domain.
CREATE TABLE apps_other (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  domain text COLLATE "C",
  request_support_status text COLLATE "C",
  hidden bigint,
  -- Domain in lower case.
  domain_key text COLLATE "C",
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX apps_other_id ON apps_other (org, id);
CREATE INDEX apps_other_walk ON apps_other (org, unlisted, seq);
CREATE INDEX apps_other_by_request_support_status ON apps_other (org, request_support_status, seq);
CREATE INDEX apps_other_by_hidden ON apps_other (org, hidden, seq);
CREATE INDEX apps_other_by_domain_key ON apps_other (org, domain_key, seq);
CREATE INDEX apps_other_by_domain ON apps_other USING gin ((org + 0), domain gin_trgm_ops);

-- Accounts in recognized apps.
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
  -- Employee that the account was observed with. `employee_id` is the primary after a merge.
  owner text COLLATE "C",
  -- App and e-mail address in lower case: finds the account of a reported login.
  login_key text COLLATE "C",
  -- Consecutive logins without a second factor.
  logins_without_mfa bigint,
  -- Time of the first of them.
  without_mfa_since bigint,
  -- Login methods that administrators removed, with times, so late reports do not restore them.
  methods_removed text COLLATE "C",
  -- 0 unknown, 1 registered, 2 not registered.
  mfa bigint,
  -- Bit set of login methods.
  login_methods bigint,
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX accounts_id ON accounts (org, id);
CREATE INDEX accounts_walk ON accounts (org, unlisted, seq) INCLUDE (last_used_timestamp);
CREATE INDEX accounts_by_app_type ON accounts (org, app_type, seq);
CREATE INDEX accounts_by_app_id ON accounts (org, app_id, seq);
CREATE INDEX accounts_by_employee_id ON accounts (org, employee_id, seq);
CREATE INDEX accounts_by_password_id ON accounts (org, password_id, seq) WHERE password_id IS NOT NULL;
CREATE INDEX accounts_by_last_used_timestamp ON accounts (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;
CREATE INDEX accounts_by_login_key ON accounts (org, login_key, seq);
CREATE INDEX accounts_by_mfa ON accounts (org, mfa, seq);
CREATE INDEX accounts_by_login_methods ON accounts (org, login_methods, seq);
CREATE INDEX accounts_by_email ON accounts USING gin ((org + 0), email gin_trgm_ops);

-- Use of a shared account by an employee.
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

-- Accounts in unrecognized apps.
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
  login_key text COLLATE "C",
  password_id text COLLATE "C",
  login_methods bigint,
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX accounts_other_id ON accounts_other (org, id);
CREATE INDEX accounts_other_walk ON accounts_other (org, unlisted, seq) INCLUDE (last_used_timestamp);
CREATE INDEX accounts_other_by_employee_id ON accounts_other (org, employee_id, seq);
CREATE INDEX accounts_other_by_other_app_id ON accounts_other (org, other_app_id, seq);
CREATE INDEX accounts_other_by_last_used_timestamp ON accounts_other (org, last_used_timestamp, seq) WHERE last_used_timestamp IS NOT NULL;
CREATE INDEX accounts_other_by_login_key ON accounts_other (org, login_key, seq);
CREATE INDEX accounts_other_by_password_id ON accounts_other (org, password_id, seq);
CREATE INDEX accounts_other_by_login_methods ON accounts_other (org, login_methods, seq);
CREATE INDEX accounts_other_by_email ON accounts_other USING gin ((org + 0), email gin_trgm_ops);

-- Enrolled browsers.
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
  -- Time of the event that the browser’s facts are from; older events do not overwrite them.
  facts_timestamp bigint,
  -- The same for the list of extensions.
  extensions_timestamp bigint,
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX browsers_id ON browsers (org, id);
CREATE INDEX browsers_walk ON browsers (org, unlisted, seq) INCLUDE (last_online_timestamp);
CREATE INDEX browsers_by_employee_id ON browsers (org, employee_id, seq);
CREATE INDEX browsers_by_browser ON browsers (org, browser, seq);
CREATE INDEX browsers_by_os ON browsers (org, os, seq);
CREATE INDEX browsers_by_token_type ON browsers (org, token_type, seq);
CREATE INDEX browsers_by_is_active ON browsers (org, is_active, seq);
CREATE INDEX browsers_by_last_online_timestamp ON browsers (org, last_online_timestamp, seq);
CREATE INDEX browsers_by_email ON browsers USING gin ((org + 0), email gin_trgm_ops);

-- Extensions installed in browsers.
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

-- Permissions of installed extensions.
CREATE TABLE browser_extensions_permissions (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- Host permissions of installed extensions.
CREATE TABLE browser_extensions_host_permissions (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- Security events such as a visit to a phishing page.
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
  -- Identifies repetitions of the same event, which update one detection.
  subject text COLLATE "C",
  -- Time of the last event, by the clock of the browser.
  observed_activity bigint,
  -- Time of the first event.
  observed_since bigint,
  -- 1 LOW to 4 CRITICAL, for sorting.
  severity_rank bigint,
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
CREATE INDEX detections_by_subject ON detections (org, subject, seq);
CREATE INDEX detections_by_severity_rank ON detections (org, severity_rank, seq);

-- Problems such as a weak or reused password.
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

-- URL patterns that agents block. `url` holds a hash if the pattern is long.
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

-- Extensions summed up over all browsers (console only), recounted in the background.
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

-- Permissions of extensions.
CREATE TABLE extension_groups_permissions (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- State of the recount for each organization.
CREATE TABLE extension_counts (
  org bigint PRIMARY KEY,
  begun_ms bigint NOT NULL,
  counted_ms bigint,
  took_ms bigint
);

-- Names of extensions in lower case, for search.
CREATE TABLE extension_names (
  org bigint NOT NULL,
  extension_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, extension_id, name)
);

-- ----------------------------------------------------------------------------
-- Agents
-- ----------------------------------------------------------------------------

-- Links that enroll one browser of an employee, by the hash of their token.
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

-- Tokens by which managed browsers enroll themselves.
CREATE TABLE enrollment_tokens (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  revoked_timestamp bigint,
  PRIMARY KEY (org, id)
);

-- Credentials of enrolled browsers, hashed.
CREATE TABLE browser_credentials (
  org bigint NOT NULL,
  browser_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  creation_timestamp bigint NOT NULL,
  revoked_timestamp bigint,
  -- Last call of a browser whose employee has no license. Keeps the credential; the record does not show such calls.
  dormant_call_timestamp bigint,
  PRIMARY KEY (org, browser_id)
);

-- Protection settings of an organization as JSON: rules, modes, texts.
CREATE TABLE controls (
  org bigint PRIMARY KEY,
  document text COLLATE "C" NOT NULL,
  updated_timestamp bigint NOT NULL
);

-- Products that the organization added to the product catalog, as JSON.
CREATE TABLE catalog_products (
  org bigint NOT NULL,
  app_type text COLLATE "C" NOT NULL,
  product text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, app_type)
);

-- Credentials known to be stolen. The address can be looked up by its HMAC; the password is hashed.
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

-- Weeks with a table of raw agent events (raw-event-tables.ts). Old weeks are dropped as a whole.
CREATE TABLE raw_event_weeks (
  week bigint PRIMARY KEY,
  creation_timestamp bigint NOT NULL
);

-- Progress of imports from another server, to resume them.
CREATE TABLE import_positions (
  org bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  position text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, source, resource)
);

-- ----------------------------------------------------------------------------
-- Events and webhooks
--
-- Event IDs are UUIDv7: ordered by time, so a range of IDs is a range of time.
-- ----------------------------------------------------------------------------

-- Events to deliver. Written only if a webhook or stream subscribes to them.
CREATE TABLE events (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  timestamp bigint NOT NULL,
  object text COLLATE "C" NOT NULL,
  category text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, id)
);

-- Webhook endpoints. Columns *_sealed are encrypted with the master key.
CREATE TABLE webhooks (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  url text COLLATE "C" NOT NULL,
  categories text COLLATE "C" NOT NULL,
  objects text COLLATE "C" NOT NULL,
  headers_sealed text COLLATE "C",
  secret_sealed text COLLATE "C",
  previous_secret_sealed text COLLATE "C",
  previous_secret_until bigint,
  enabled bigint NOT NULL,
  disabled_reason text COLLATE "C",
  creation_timestamp bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, id)
);

-- Event types that each enabled webhook subscribes to.
CREATE TABLE webhook_wishes (
  org bigint NOT NULL,
  object text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, object, webhook_id)
);

-- Deliveries of events to webhooks. A process that takes one sets `lease` and moves `due_ms` ahead; if the process
-- dies,
-- the delivery becomes due again.
CREATE TABLE webhook_deliveries (
  org bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  due_ms bigint NOT NULL,
  lease text COLLATE "C",
  PRIMARY KEY (org, webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (org, webhook_id, due_ms, event_id) WHERE state = 'PENDING';
CREATE INDEX webhook_deliveries_by_failure ON webhook_deliveries (org, webhook_id, event_id) WHERE state = 'FAILED';

-- Attempts of each delivery, with the response.
CREATE TABLE webhook_attempts (
  org bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  attempt bigint NOT NULL,
  at_ms bigint NOT NULL,
  status bigint,
  latency_ms bigint NOT NULL,
  answer text COLLATE "C" NOT NULL,
  error text COLLATE "C",
  PRIMARY KEY (org, webhook_id, event_id, attempt)
);

-- Attempts by hour. `forgiven` failures happened before the webhook was enabled again and no longer count.
CREATE TABLE webhook_hours (
  org bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  hour_timestamp bigint NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  forgiven bigint NOT NULL DEFAULT 0,
  latency_ms_sum bigint NOT NULL,
  PRIMARY KEY (org, webhook_id, hour_timestamp)
);

-- Process that delivers a stream (file, syslog). One at a time keeps the order.
CREATE TABLE stream_leases (
  kind text COLLATE "C" NOT NULL PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until_ms bigint NOT NULL
);

-- Last success and last error of each stream.
CREATE TABLE stream_states (
  kind text COLLATE "C" NOT NULL,
  org bigint NOT NULL,
  delivered_ms bigint,
  failed_ms bigint,
  error text COLLATE "C",
  PRIMARY KEY (org, kind)
);

-- E-mails and messages to administrators, each sent once.
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

-- ----------------------------------------------------------------------------
-- Audit trail
--
-- Append-only. Each row holds the hash of the row before it.
-- ----------------------------------------------------------------------------

-- Newest link of each chain. Kept apart to detect rows that were cut off at the end.
CREATE TABLE audit_heads (
  org bigint PRIMARY KEY,
  position bigint NOT NULL,
  previous_hash text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL
);

-- Links of the chains.
CREATE TABLE audit_events (
  org bigint NOT NULL,
  position bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  timestamp bigint NOT NULL,
  object text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  previous_hash text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, position)
);
CREATE INDEX audit_events_by_time ON audit_events (org, timestamp, position, object, actor);

-- Appends a row without a position to the chain. A row with a position is a copy from another store and is kept as it is.
CREATE FUNCTION chain_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO audit_heads AS head (org, position, previous_hash, hash)
      VALUES (NEW.org, 1, '', encode(sha256(convert_to(NEW.event, 'UTF8')), 'hex'))
      ON CONFLICT (org) DO UPDATE SET
        position = head.position + 1,
        previous_hash = head.hash,
        hash = encode(sha256(convert_to(head.hash || NEW.event, 'UTF8')), 'hex')
      RETURNING head.position, head.previous_hash, head.hash
      INTO NEW.position, NEW.previous_hash, NEW.hash;
    RETURN NEW;
  END
$$;

CREATE TRIGGER audit_events_chain BEFORE INSERT ON audit_events
  FOR EACH ROW WHEN (NEW.position IS NULL) EXECUTE FUNCTION chain_audit_event();

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit trail is append-only';
  END
$$;

CREATE TRIGGER audit_events_kept BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_events_kept_whole BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
