-- Settings that owners set in the console, by their names in muster.toml. `value` is the text that the environment variable would
-- have, encrypted if `sealed` is 1.
CREATE TABLE organization_settings (
  org INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  sealed INTEGER NOT NULL,
  changed_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, name)
) STRICT, WITHOUT ROWID;
