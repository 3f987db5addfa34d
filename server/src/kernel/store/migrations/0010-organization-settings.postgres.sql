-- Settings that owners set in the console, by their names in muster.toml. `value` is the text that the environment variable would
-- have, encrypted if `sealed` is 1.
CREATE TABLE organization_settings (
  org bigint NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  sealed bigint NOT NULL,
  changed_timestamp bigint NOT NULL,
  PRIMARY KEY (org, name)
);
