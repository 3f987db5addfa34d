-- The names that extensions have in browsers, for searches among a million installations.

CREATE TABLE extension_names (
  org INTEGER NOT NULL,
  extension_id TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (org, extension_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO extension_names (org, extension_id, name)
  SELECT DISTINCT org, extension_id, substr(lower(json_extract(record, '$.name')), 1, 256) FROM browser_extensions;
