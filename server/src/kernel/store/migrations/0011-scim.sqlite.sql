-- Directory by SCIM 2.0: docs/adr/0063-directory-by-scim.md.

-- Bearer tokens of directories, hashed.
CREATE TABLE scim_tokens (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  -- Creator: an administrator, or a user of the command line.
  created_by TEXT NOT NULL,
  -- 1 if users get a license when they become active.
  assigns_licenses INTEGER NOT NULL,
  creation_timestamp INTEGER NOT NULL,
  last_used_timestamp INTEGER,
  revoked_timestamp INTEGER,
  PRIMARY KEY (org, id)
) STRICT;

-- Users of directories.
CREATE TABLE scim_users (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  -- Employee of the user; null while there is none, see `problem`.
  employee_id TEXT,
  -- Names in lower case.
  user_name_key TEXT NOT NULL,
  display_key TEXT,
  external_id TEXT,
  active INTEGER NOT NULL,
  -- NO_ADDRESS or ADDRESS_TAKEN: the reason for which no employee has the address of the user.
  problem TEXT,
  version INTEGER NOT NULL,
  -- UNIX milliseconds.
  created_ms INTEGER NOT NULL,
  modified_ms INTEGER NOT NULL,
  -- Attributes as JSON, without `id`, `meta` and `groups`.
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX scim_users_id ON scim_users (org, id);
CREATE UNIQUE INDEX scim_users_user_name ON scim_users (org, user_name_key);
CREATE UNIQUE INDEX scim_users_employee ON scim_users (org, employee_id) WHERE employee_id IS NOT NULL;
CREATE INDEX scim_users_external_id ON scim_users (org, external_id, id) WHERE external_id IS NOT NULL;
CREATE INDEX scim_users_display ON scim_users (org, display_key, id);
CREATE INDEX scim_users_modified ON scim_users (org, modified_ms, id);
CREATE INDEX scim_users_problem ON scim_users (org, problem) WHERE problem IS NOT NULL;

-- Email addresses of users, in lower case.
CREATE TABLE scim_emails (
  org INTEGER NOT NULL,
  address TEXT NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (org, address, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX scim_emails_user ON scim_emails (org, user_id);

-- Groups of directories.
CREATE TABLE scim_groups (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  external_id TEXT,
  version INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  modified_ms INTEGER NOT NULL,
  PRIMARY KEY (org, id)
) STRICT;
CREATE UNIQUE INDEX scim_groups_name ON scim_groups (org, name_key);
CREATE INDEX scim_groups_external_id ON scim_groups (org, external_id, id) WHERE external_id IS NOT NULL;

CREATE TABLE scim_members (
  org INTEGER NOT NULL,
  group_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  PRIMARY KEY (org, group_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX scim_members_user ON scim_members (org, user_id, group_id);

-- IDs of removed users. An ID is not used again.
CREATE TABLE scim_removed_users (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (org, id)
) STRICT, WITHOUT ROWID;
