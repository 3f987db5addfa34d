-- Columns that follow from records: lists of the console are filtered and sorted by them.

-- Second factors: 0 unknown, 1 registered, 2 not registered. Login methods: a bit for each.
ALTER TABLE accounts ADD COLUMN mfa INTEGER;
ALTER TABLE accounts ADD COLUMN login_methods INTEGER;
UPDATE accounts SET mfa = CASE json_extract(record, '$.mfaRegistered') WHEN 1 THEN 1 WHEN 0 THEN 2 ELSE 0 END,
  login_methods = coalesce(json_extract(record, '$.loginMethods.passwordLogin'), 0) + 2 * (json_extract(record, '$.loginMethods.oidcLogin') IS NOT NULL) + 4 * (json_extract(record, '$.loginMethods.samlLogin') IS NOT NULL) + 8 * coalesce(json_extract(record, '$.loginMethods.oktaSwaLogin'), 0) + 16 * (json_extract(record, '$.loginMethods.vendorSsoLogin') IS NOT NULL) + 32 * (json_extract(record, '$.loginMethods.fedCmLogin') IS NOT NULL);
CREATE INDEX accounts_by_mfa ON accounts (org, mfa, seq);
CREATE INDEX accounts_by_login_methods ON accounts (org, login_methods, seq);
ALTER TABLE accounts_other ADD COLUMN login_methods INTEGER;
UPDATE accounts_other SET login_methods = coalesce(json_extract(record, '$.loginMethods.passwordLogin'), 0) + 2 * (json_extract(record, '$.loginMethods.oidcLogin') IS NOT NULL) + 4 * (json_extract(record, '$.loginMethods.samlLogin') IS NOT NULL) + 8 * coalesce(json_extract(record, '$.loginMethods.oktaSwaLogin'), 0) + 16 * (json_extract(record, '$.loginMethods.vendorSsoLogin') IS NOT NULL) + 32 * (json_extract(record, '$.loginMethods.fedCmLogin') IS NOT NULL);
CREATE INDEX accounts_other_by_login_methods ON accounts_other (org, login_methods, seq);

-- Severities by how bad they are.
ALTER TABLE detections ADD COLUMN severity_rank INTEGER;
UPDATE detections SET severity_rank = CASE severity WHEN 'LOW' THEN 1 WHEN 'MEDIUM' THEN 2 WHEN 'HIGH' THEN 3 WHEN 'CRITICAL' THEN 4 ELSE 0 END;
CREATE INDEX detections_by_severity_rank ON detections (org, severity_rank, seq);

-- Names in their order. Those with letters beyond A to Z are folded afterwards, which SQL alone cannot do.
ALTER TABLE employees ADD COLUMN sort_name TEXT;
UPDATE employees SET sort_name = substr(lower(coalesce(nullif(json_extract(record, '$.firstName'), '') || ' ' || nullif(json_extract(record, '$.lastName'), ''), nullif(json_extract(record, '$.firstName'), ''), nullif(json_extract(record, '$.lastName'), ''), json_extract(record, '$.email'))), 1, 256) || char(10) || substr(lower(json_extract(record, '$.email')), 1, 256);
CREATE INDEX employees_by_sort_name ON employees (org, sort_name, seq);
ALTER TABLE apps ADD COLUMN sort_name TEXT;
UPDATE apps SET sort_name = substr(lower(json_extract(record, '$.friendlyName')), 1, 256);
CREATE INDEX apps_by_sort_name ON apps (org, sort_name, seq);
