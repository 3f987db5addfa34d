-- The names that extensions have in browsers, for searches among a million installations.

CREATE TABLE extension_names (
  org bigint NOT NULL,
  extension_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, extension_id, name)
);
INSERT INTO extension_names (org, extension_id, name)
  SELECT DISTINCT org, extension_id, substr(lower((record::json ->> 'name') COLLATE "C"), 1, 256) FROM browser_extensions
  WHERE strpos(record, '\u0000') = 0;
