-- What the console needs: the people who use it, how they sign in, their sessions, and the requests of API keys over time.

CREATE TABLE administrators (
  org INTEGER NOT NULL REFERENCES organizations (no),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT,
  totp_secret TEXT,
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

CREATE TABLE recovery_codes (
  org INTEGER NOT NULL,
  administrator_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (org, administrator_id, hash)
) STRICT;

CREATE TABLE console_sessions (
  hash TEXT PRIMARY KEY,
  org INTEGER NOT NULL,
  administrator_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  creation_timestamp INTEGER NOT NULL,
  last_seen_timestamp INTEGER NOT NULL,
  authenticated_timestamp INTEGER NOT NULL,
  challenge TEXT,
  challenge_timestamp INTEGER,
  source_ip_address TEXT NOT NULL,
  user_agent TEXT
) STRICT;
CREATE INDEX console_sessions_by_administrator ON console_sessions (org, administrator_id);
CREATE INDEX console_sessions_by_age ON console_sessions (creation_timestamp);

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

CREATE TABLE sign_in_failures (
  name TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  last_timestamp INTEGER NOT NULL,
  locked_until_timestamp INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (last_timestamp);

CREATE TABLE api_key_hours (
  org INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  hour_timestamp INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (org, key_id, hour_timestamp)
) STRICT;
CREATE INDEX api_key_hours_by_age ON api_key_hours (hour_timestamp);
