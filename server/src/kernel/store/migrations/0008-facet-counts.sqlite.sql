-- Number of listed records of each collection by combination of facets: docs/adr/0059-exact-counts.md.
-- Triggers keep them, so every way of changing records does, also that of the previous version. The facets are those of
-- `kernel/store/figures/facet-counts.ts`.
CREATE TABLE facet_counts (
  org INTEGER NOT NULL,
  -- Table of the collection.
  list TEXT NOT NULL,
  -- Values of the facets, as a JSON array.
  facets TEXT NOT NULL,
  records INTEGER NOT NULL,
  PRIMARY KEY (org, list, facets)
) STRICT, WITHOUT ROWID;

INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'employees', json_array(licensed, risk_score), count(*) FROM employees WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'accounts', json_array(mfa, login_methods, risk_score, CASE WHEN password_id IS NULL THEN 0 ELSE 1 END), count(*) FROM accounts WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'accounts_other', json_array(login_methods), count(*) FROM accounts_other WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'apps_other', json_array(request_support_status, hidden), count(*) FROM apps_other WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'browsers', json_array(browser, os, token_type, is_active), count(*) FROM browsers WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'browser_extensions', json_array(deployment_mode, enabled), count(*) FROM browser_extensions WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'detections', json_array(detection_type, severity, response, classification, archived), count(*) FROM detections WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'findings', json_array(type, state, priority_score), count(*) FROM findings WHERE unlisted = 0 GROUP BY 1, 3;

-- Finds the employees with an active browser.
CREATE INDEX browsers_active_employee ON browsers (org, employee_id) WHERE is_active = 1;

CREATE TRIGGER facet_counts_employees_added AFTER INSERT ON employees WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'employees', json_array(NEW.licensed, NEW.risk_score), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_employees_removed AFTER DELETE ON employees WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'employees'
      AND facets = json_array(OLD.licensed, OLD.risk_score);
  END;
CREATE TRIGGER facet_counts_employees_changed AFTER UPDATE OF licensed, risk_score, unlisted ON employees
  WHEN NEW.licensed IS NOT OLD.licensed OR NEW.risk_score IS NOT OLD.risk_score OR NEW.unlisted IS NOT OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'employees'
      AND facets = json_array(OLD.licensed, OLD.risk_score);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'employees', json_array(NEW.licensed, NEW.risk_score), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_accounts_added AFTER INSERT ON accounts WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'accounts', json_array(NEW.mfa, NEW.login_methods, NEW.risk_score, CASE WHEN NEW.password_id IS NULL THEN 0 ELSE 1 END), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_accounts_removed AFTER DELETE ON accounts WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'accounts'
      AND facets = json_array(OLD.mfa, OLD.login_methods, OLD.risk_score, CASE WHEN OLD.password_id IS NULL THEN 0 ELSE 1 END);
  END;
CREATE TRIGGER facet_counts_accounts_changed AFTER UPDATE OF mfa, login_methods, risk_score, password_id, unlisted ON accounts
  WHEN NEW.mfa IS NOT OLD.mfa OR NEW.login_methods IS NOT OLD.login_methods OR NEW.risk_score IS NOT OLD.risk_score OR
    (NEW.password_id IS NULL) <> (OLD.password_id IS NULL) OR NEW.unlisted IS NOT OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'accounts'
      AND facets = json_array(OLD.mfa, OLD.login_methods, OLD.risk_score, CASE WHEN OLD.password_id IS NULL THEN 0 ELSE 1 END);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'accounts', json_array(NEW.mfa, NEW.login_methods, NEW.risk_score, CASE WHEN NEW.password_id IS NULL THEN 0 ELSE 1 END), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_accounts_other_added AFTER INSERT ON accounts_other WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'accounts_other', json_array(NEW.login_methods), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_accounts_other_removed AFTER DELETE ON accounts_other WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'accounts_other'
      AND facets = json_array(OLD.login_methods);
  END;
CREATE TRIGGER facet_counts_accounts_other_changed AFTER UPDATE OF login_methods, unlisted ON accounts_other
  WHEN NEW.login_methods IS NOT OLD.login_methods OR NEW.unlisted IS NOT OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'accounts_other'
      AND facets = json_array(OLD.login_methods);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'accounts_other', json_array(NEW.login_methods), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_apps_other_added AFTER INSERT ON apps_other WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'apps_other', json_array(NEW.request_support_status, NEW.hidden), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_apps_other_removed AFTER DELETE ON apps_other WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'apps_other'
      AND facets = json_array(OLD.request_support_status, OLD.hidden);
  END;
CREATE TRIGGER facet_counts_apps_other_changed AFTER UPDATE OF request_support_status, hidden, unlisted ON apps_other
  WHEN NEW.request_support_status IS NOT OLD.request_support_status OR NEW.hidden IS NOT OLD.hidden OR NEW.unlisted IS NOT
    OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'apps_other'
      AND facets = json_array(OLD.request_support_status, OLD.hidden);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'apps_other', json_array(NEW.request_support_status, NEW.hidden), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_browsers_added AFTER INSERT ON browsers WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'browsers', json_array(NEW.browser, NEW.os, NEW.token_type, NEW.is_active), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_browsers_removed AFTER DELETE ON browsers WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'browsers'
      AND facets = json_array(OLD.browser, OLD.os, OLD.token_type, OLD.is_active);
  END;
CREATE TRIGGER facet_counts_browsers_changed AFTER UPDATE OF browser, os, token_type, is_active, unlisted ON browsers
  WHEN NEW.browser IS NOT OLD.browser OR NEW.os IS NOT OLD.os OR NEW.token_type IS NOT OLD.token_type OR NEW.is_active IS
    NOT OLD.is_active OR NEW.unlisted IS NOT OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'browsers'
      AND facets = json_array(OLD.browser, OLD.os, OLD.token_type, OLD.is_active);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'browsers', json_array(NEW.browser, NEW.os, NEW.token_type, NEW.is_active), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_browser_extensions_added AFTER INSERT ON browser_extensions WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'browser_extensions', json_array(NEW.deployment_mode, NEW.enabled), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_browser_extensions_removed AFTER DELETE ON browser_extensions WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'browser_extensions'
      AND facets = json_array(OLD.deployment_mode, OLD.enabled);
  END;
CREATE TRIGGER facet_counts_browser_extensions_changed AFTER UPDATE OF deployment_mode, enabled, unlisted ON browser_extensions
  WHEN NEW.deployment_mode IS NOT OLD.deployment_mode OR NEW.enabled IS NOT OLD.enabled OR NEW.unlisted IS NOT OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'browser_extensions'
      AND facets = json_array(OLD.deployment_mode, OLD.enabled);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'browser_extensions', json_array(NEW.deployment_mode, NEW.enabled), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_detections_added AFTER INSERT ON detections WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'detections', json_array(NEW.detection_type, NEW.severity, NEW.response, NEW.classification, NEW.archived), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_detections_removed AFTER DELETE ON detections WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'detections'
      AND facets = json_array(OLD.detection_type, OLD.severity, OLD.response, OLD.classification, OLD.archived);
  END;
CREATE TRIGGER facet_counts_detections_changed AFTER UPDATE OF detection_type, severity, response, classification, archived, unlisted ON detections
  WHEN NEW.detection_type IS NOT OLD.detection_type OR NEW.severity IS NOT OLD.severity OR NEW.response IS NOT OLD.response
    OR NEW.classification IS NOT OLD.classification OR NEW.archived IS NOT OLD.archived OR NEW.unlisted IS NOT
    OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'detections'
      AND facets = json_array(OLD.detection_type, OLD.severity, OLD.response, OLD.classification, OLD.archived);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'detections', json_array(NEW.detection_type, NEW.severity, NEW.response, NEW.classification, NEW.archived), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_findings_added AFTER INSERT ON findings WHEN NEW.unlisted = 0
  BEGIN
    INSERT INTO facet_counts (org, list, facets, records)
      VALUES (NEW.org, 'findings', json_array(NEW.type, NEW.state, NEW.priority_score), 1)
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
CREATE TRIGGER facet_counts_findings_removed AFTER DELETE ON findings WHEN OLD.unlisted = 0
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE org = OLD.org AND list = 'findings'
      AND facets = json_array(OLD.type, OLD.state, OLD.priority_score);
  END;
CREATE TRIGGER facet_counts_findings_changed AFTER UPDATE OF type, state, priority_score, unlisted ON findings
  WHEN NEW.type IS NOT OLD.type OR NEW.state IS NOT OLD.state OR NEW.priority_score IS NOT OLD.priority_score OR
    NEW.unlisted IS NOT OLD.unlisted
  BEGIN
    UPDATE facet_counts SET records = records - 1 WHERE OLD.unlisted = 0 AND org = OLD.org AND list = 'findings'
      AND facets = json_array(OLD.type, OLD.state, OLD.priority_score);
    INSERT INTO facet_counts (org, list, facets, records)
      SELECT NEW.org, 'findings', json_array(NEW.type, NEW.state, NEW.priority_score), 1 WHERE NEW.unlisted = 0
      ON CONFLICT (org, list, facets) DO UPDATE SET records = records + 1;
  END;
