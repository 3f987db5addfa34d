-- Directory by SCIM 2.0: docs/adr/0063-directory-by-scim.md.

-- Bearer tokens of directories, hashed.
CREATE TABLE scim_tokens (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  -- Creator: an administrator, or a user of the command line.
  created_by text COLLATE "C" NOT NULL,
  -- 1 if users get a license when they become active.
  assigns_licenses bigint NOT NULL,
  creation_timestamp bigint NOT NULL,
  last_used_timestamp bigint,
  revoked_timestamp bigint,
  PRIMARY KEY (org, id)
);

-- Users of directories.
CREATE TABLE scim_users (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Employee of the user; null while there is none, see `problem`.
  employee_id text COLLATE "C",
  -- Names in lower case.
  user_name_key text COLLATE "C" NOT NULL,
  display_key text COLLATE "C",
  external_id text COLLATE "C",
  active bigint NOT NULL,
  -- NO_ADDRESS or ADDRESS_TAKEN: the reason for which no employee has the address of the user.
  problem text COLLATE "C",
  version bigint NOT NULL,
  -- UNIX milliseconds.
  created_ms bigint NOT NULL,
  modified_ms bigint NOT NULL,
  -- Attributes as JSON, without `id`, `meta` and `groups`.
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, id)
);
CREATE UNIQUE INDEX scim_users_user_name ON scim_users (org, user_name_key);
CREATE UNIQUE INDEX scim_users_employee ON scim_users (org, employee_id) WHERE employee_id IS NOT NULL;
CREATE INDEX scim_users_external_id ON scim_users (org, external_id, id) WHERE external_id IS NOT NULL;
CREATE INDEX scim_users_display ON scim_users (org, display_key, id);
CREATE INDEX scim_users_modified ON scim_users (org, modified_ms, id);
CREATE INDEX scim_users_problem ON scim_users (org, problem) WHERE problem IS NOT NULL;

-- Email addresses of users, in lower case.
CREATE TABLE scim_emails (
  org bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, address, user_id)
);
CREATE INDEX scim_emails_user ON scim_emails (org, user_id);

-- Groups of directories.
CREATE TABLE scim_groups (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  version bigint NOT NULL,
  created_ms bigint NOT NULL,
  modified_ms bigint NOT NULL,
  PRIMARY KEY (org, id)
);
CREATE UNIQUE INDEX scim_groups_name ON scim_groups (org, name_key);
CREATE INDEX scim_groups_external_id ON scim_groups (org, external_id, id) WHERE external_id IS NOT NULL;

CREATE TABLE scim_members (
  org bigint NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, group_id, user_id)
);
CREATE INDEX scim_members_user ON scim_members (org, user_id, group_id);

-- IDs of removed users. An ID is not used again.
CREATE TABLE scim_removed_users (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, id)
);
