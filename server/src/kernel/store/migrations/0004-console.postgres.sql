-- What the console needs: the people who use it, how they sign in, their sessions, and the requests of API keys over time.

CREATE TABLE administrators (
  org bigint NOT NULL REFERENCES organizations (no),
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C",
  totp_secret text COLLATE "C",
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

CREATE TABLE recovery_codes (
  org bigint NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, administrator_id, hash)
);

CREATE TABLE console_sessions (
  hash text COLLATE "C" PRIMARY KEY,
  org bigint NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  stage text COLLATE "C" NOT NULL,
  creation_timestamp bigint NOT NULL,
  last_seen_timestamp bigint NOT NULL,
  authenticated_timestamp bigint NOT NULL,
  challenge text COLLATE "C",
  challenge_timestamp bigint,
  source_ip_address text COLLATE "C" NOT NULL,
  user_agent text COLLATE "C"
);
CREATE INDEX console_sessions_by_administrator ON console_sessions (org, administrator_id);
CREATE INDEX console_sessions_by_age ON console_sessions (creation_timestamp);

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

CREATE TABLE sign_in_failures (
  name text COLLATE "C" PRIMARY KEY,
  failures bigint NOT NULL,
  last_timestamp bigint NOT NULL,
  locked_until_timestamp bigint NOT NULL
);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (last_timestamp);

CREATE TABLE api_key_hours (
  org bigint NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  hour_timestamp bigint NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (org, key_id, hour_timestamp)
);
CREATE INDEX api_key_hours_by_age ON api_key_hours (hour_timestamp);
