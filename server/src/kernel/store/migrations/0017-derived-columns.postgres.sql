-- Columns that follow from records: lists of the console are filtered and sorted by them.

-- Second factors: 0 unknown, 1 registered, 2 not registered. Login methods: a bit for each.
ALTER TABLE accounts ADD COLUMN mfa bigint;
ALTER TABLE accounts ADD COLUMN login_methods bigint;
UPDATE accounts SET mfa = CASE record::json #>> '{mfaRegistered}' WHEN 'true' THEN 1 WHEN 'false' THEN 2 ELSE 0 END,
  login_methods = coalesce((record::json #>> '{loginMethods,passwordLogin}')::boolean::int, 0) + 2 * (record::json #>> '{loginMethods,oidcLogin}' IS NOT NULL)::int + 4 * (record::json #>> '{loginMethods,samlLogin}' IS NOT NULL)::int + 8 * coalesce((record::json #>> '{loginMethods,oktaSwaLogin}')::boolean::int, 0) + 16 * (record::json #>> '{loginMethods,vendorSsoLogin}' IS NOT NULL)::int + 32 * (record::json #>> '{loginMethods,fedCmLogin}' IS NOT NULL)::int;
CREATE INDEX accounts_by_mfa ON accounts (org, mfa, seq);
CREATE INDEX accounts_by_login_methods ON accounts (org, login_methods, seq);
ALTER TABLE accounts_other ADD COLUMN login_methods bigint;
UPDATE accounts_other SET login_methods = coalesce((record::json #>> '{loginMethods,passwordLogin}')::boolean::int, 0) + 2 * (record::json #>> '{loginMethods,oidcLogin}' IS NOT NULL)::int + 4 * (record::json #>> '{loginMethods,samlLogin}' IS NOT NULL)::int + 8 * coalesce((record::json #>> '{loginMethods,oktaSwaLogin}')::boolean::int, 0) + 16 * (record::json #>> '{loginMethods,vendorSsoLogin}' IS NOT NULL)::int + 32 * (record::json #>> '{loginMethods,fedCmLogin}' IS NOT NULL)::int;
CREATE INDEX accounts_other_by_login_methods ON accounts_other (org, login_methods, seq);

-- Severities by how bad they are.
ALTER TABLE detections ADD COLUMN severity_rank bigint;
UPDATE detections SET severity_rank = CASE severity WHEN 'LOW' THEN 1 WHEN 'MEDIUM' THEN 2 WHEN 'HIGH' THEN 3 WHEN 'CRITICAL' THEN 4 ELSE 0 END;
CREATE INDEX detections_by_severity_rank ON detections (org, severity_rank, seq);

-- Names in their order. Those with letters beyond A to Z are folded afterwards, which SQL alone cannot do.
ALTER TABLE employees ADD COLUMN sort_name text COLLATE "C";
UPDATE employees SET sort_name = substr(lower((coalesce(nullif(record::json ->> 'firstName', '') || ' ' || nullif(record::json ->> 'lastName', ''), nullif(record::json ->> 'firstName', ''), nullif(record::json ->> 'lastName', ''), record::json ->> 'email')) COLLATE "C"), 1, 256) || chr(10) || substr(lower((record::json ->> 'email') COLLATE "C"), 1, 256);
CREATE INDEX employees_by_sort_name ON employees (org, sort_name, seq);
ALTER TABLE apps ADD COLUMN sort_name text COLLATE "C";
UPDATE apps SET sort_name = substr(lower((record::json ->> 'friendlyName') COLLATE "C"), 1, 256);
CREATE INDEX apps_by_sort_name ON apps (org, sort_name, seq);
