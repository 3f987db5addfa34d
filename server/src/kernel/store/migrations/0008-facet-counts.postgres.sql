-- Number of listed records of each collection by combination of facets: docs/adr/0059-exact-counts.md.
-- Triggers keep them, so every way of changing records does, also that of the previous version. The facets are those of
-- `kernel/store/figures/facet-counts.ts`.
CREATE TABLE facet_counts (
  org bigint NOT NULL,
  -- Table of the collection.
  list text COLLATE "C" NOT NULL,
  -- Values of the facets, as a JSON array.
  facets text COLLATE "C" NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (org, list, facets)
);

-- Changes that a job adds to the counts, so that transactions do not wait for each other. Readers add up both tables.
CREATE TABLE facet_count_changes (
  org bigint NOT NULL,
  list text COLLATE "C" NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  facets text COLLATE "C" NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (org, list, number)
);

-- The counts are complete only if nobody writes until the triggers exist.
LOCK TABLE employees, accounts, accounts_other, apps_other, browsers, browser_extensions, detections, findings IN SHARE ROW EXCLUSIVE MODE;

INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'employees', json_build_array(licensed, risk_score)::text, count(*) FROM employees WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'accounts', json_build_array(mfa, login_methods, risk_score, CASE WHEN password_id IS NULL THEN 0 ELSE 1 END)::text, count(*) FROM accounts WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'accounts_other', json_build_array(login_methods)::text, count(*) FROM accounts_other WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'apps_other', json_build_array(request_support_status, hidden)::text, count(*) FROM apps_other WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'browsers', json_build_array(browser, os, token_type, is_active)::text, count(*) FROM browsers WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'browser_extensions', json_build_array(deployment_mode, enabled)::text, count(*) FROM browser_extensions WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'detections', json_build_array(detection_type, severity, response, classification, archived)::text, count(*) FROM detections WHERE unlisted = 0 GROUP BY 1, 3;
INSERT INTO facet_counts (org, list, facets, records)
  SELECT org, 'findings', json_build_array(type, state, priority_score)::text, count(*) FROM findings WHERE unlisted = 0 GROUP BY 1, 3;

-- Finds the employees with an active browser.
CREATE INDEX browsers_active_employee ON browsers (org, employee_id) WHERE is_active = 1;

CREATE FUNCTION count_employees_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'employees', json_build_array(licensed, risk_score)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_employees_added AFTER INSERT ON employees REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_employees_facets();
CREATE TRIGGER facet_counts_employees_removed AFTER DELETE ON employees REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_employees_facets();
CREATE FUNCTION count_changed_employees_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'employees', json_build_array(OLD.licensed, OLD.risk_score)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'employees', json_build_array(NEW.licensed, NEW.risk_score)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_employees_changed AFTER UPDATE OF licensed, risk_score, unlisted ON employees
  FOR EACH ROW WHEN ((NEW.licensed, NEW.risk_score, NEW.unlisted)
    IS DISTINCT FROM (OLD.licensed, OLD.risk_score, OLD.unlisted))
  EXECUTE FUNCTION count_changed_employees_facets();

CREATE FUNCTION count_accounts_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'accounts', json_build_array(mfa, login_methods, risk_score, CASE WHEN password_id IS NULL THEN 0 ELSE 1 END)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_accounts_added AFTER INSERT ON accounts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_accounts_facets();
CREATE TRIGGER facet_counts_accounts_removed AFTER DELETE ON accounts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_accounts_facets();
CREATE FUNCTION count_changed_accounts_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'accounts', json_build_array(OLD.mfa, OLD.login_methods, OLD.risk_score, CASE WHEN OLD.password_id IS NULL THEN 0 ELSE 1 END)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'accounts', json_build_array(NEW.mfa, NEW.login_methods, NEW.risk_score, CASE WHEN NEW.password_id IS NULL THEN 0 ELSE 1 END)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_accounts_changed AFTER UPDATE OF mfa, login_methods, risk_score, password_id, unlisted ON accounts
  FOR EACH ROW WHEN ((NEW.mfa, NEW.login_methods, NEW.risk_score, NEW.password_id IS NULL, NEW.unlisted)
    IS DISTINCT FROM (OLD.mfa, OLD.login_methods, OLD.risk_score, OLD.password_id IS NULL, OLD.unlisted))
  EXECUTE FUNCTION count_changed_accounts_facets();

CREATE FUNCTION count_accounts_other_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'accounts_other', json_build_array(login_methods)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_accounts_other_added AFTER INSERT ON accounts_other REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_accounts_other_facets();
CREATE TRIGGER facet_counts_accounts_other_removed AFTER DELETE ON accounts_other REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_accounts_other_facets();
CREATE FUNCTION count_changed_accounts_other_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'accounts_other', json_build_array(OLD.login_methods)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'accounts_other', json_build_array(NEW.login_methods)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_accounts_other_changed AFTER UPDATE OF login_methods, unlisted ON accounts_other
  FOR EACH ROW WHEN ((NEW.login_methods, NEW.unlisted)
    IS DISTINCT FROM (OLD.login_methods, OLD.unlisted))
  EXECUTE FUNCTION count_changed_accounts_other_facets();

CREATE FUNCTION count_apps_other_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'apps_other', json_build_array(request_support_status, hidden)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_apps_other_added AFTER INSERT ON apps_other REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_apps_other_facets();
CREATE TRIGGER facet_counts_apps_other_removed AFTER DELETE ON apps_other REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_apps_other_facets();
CREATE FUNCTION count_changed_apps_other_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'apps_other', json_build_array(OLD.request_support_status, OLD.hidden)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'apps_other', json_build_array(NEW.request_support_status, NEW.hidden)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_apps_other_changed AFTER UPDATE OF request_support_status, hidden, unlisted ON apps_other
  FOR EACH ROW WHEN ((NEW.request_support_status, NEW.hidden, NEW.unlisted)
    IS DISTINCT FROM (OLD.request_support_status, OLD.hidden, OLD.unlisted))
  EXECUTE FUNCTION count_changed_apps_other_facets();

CREATE FUNCTION count_browsers_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'browsers', json_build_array(browser, os, token_type, is_active)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_browsers_added AFTER INSERT ON browsers REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_browsers_facets();
CREATE TRIGGER facet_counts_browsers_removed AFTER DELETE ON browsers REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_browsers_facets();
CREATE FUNCTION count_changed_browsers_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'browsers', json_build_array(OLD.browser, OLD.os, OLD.token_type, OLD.is_active)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'browsers', json_build_array(NEW.browser, NEW.os, NEW.token_type, NEW.is_active)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_browsers_changed AFTER UPDATE OF browser, os, token_type, is_active, unlisted ON browsers
  FOR EACH ROW WHEN ((NEW.browser, NEW.os, NEW.token_type, NEW.is_active, NEW.unlisted)
    IS DISTINCT FROM (OLD.browser, OLD.os, OLD.token_type, OLD.is_active, OLD.unlisted))
  EXECUTE FUNCTION count_changed_browsers_facets();

CREATE FUNCTION count_browser_extensions_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'browser_extensions', json_build_array(deployment_mode, enabled)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_browser_extensions_added AFTER INSERT ON browser_extensions REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_browser_extensions_facets();
CREATE TRIGGER facet_counts_browser_extensions_removed AFTER DELETE ON browser_extensions REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_browser_extensions_facets();
CREATE FUNCTION count_changed_browser_extensions_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'browser_extensions', json_build_array(OLD.deployment_mode, OLD.enabled)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'browser_extensions', json_build_array(NEW.deployment_mode, NEW.enabled)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_browser_extensions_changed AFTER UPDATE OF deployment_mode, enabled, unlisted ON browser_extensions
  FOR EACH ROW WHEN ((NEW.deployment_mode, NEW.enabled, NEW.unlisted)
    IS DISTINCT FROM (OLD.deployment_mode, OLD.enabled, OLD.unlisted))
  EXECUTE FUNCTION count_changed_browser_extensions_facets();

CREATE FUNCTION count_detections_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'detections', json_build_array(detection_type, severity, response, classification, archived)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_detections_added AFTER INSERT ON detections REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_detections_facets();
CREATE TRIGGER facet_counts_detections_removed AFTER DELETE ON detections REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_detections_facets();
CREATE FUNCTION count_changed_detections_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'detections', json_build_array(OLD.detection_type, OLD.severity, OLD.response, OLD.classification, OLD.archived)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'detections', json_build_array(NEW.detection_type, NEW.severity, NEW.response, NEW.classification, NEW.archived)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_detections_changed AFTER UPDATE OF detection_type, severity, response, classification, archived, unlisted ON detections
  FOR EACH ROW WHEN ((NEW.detection_type, NEW.severity, NEW.response, NEW.classification, NEW.archived, NEW.unlisted)
    IS DISTINCT FROM (OLD.detection_type, OLD.severity, OLD.response, OLD.classification, OLD.archived, OLD.unlisted))
  EXECUTE FUNCTION count_changed_detections_facets();

CREATE FUNCTION count_findings_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT org, 'findings', json_build_array(type, state, priority_score)::text,
        CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
      FROM changed WHERE unlisted = 0 GROUP BY 1, 3;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_findings_added AFTER INSERT ON findings REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_findings_facets();
CREATE TRIGGER facet_counts_findings_removed AFTER DELETE ON findings REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_findings_facets();
CREATE FUNCTION count_changed_findings_facets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO facet_count_changes (org, list, facets, records)
      SELECT OLD.org, 'findings', json_build_array(OLD.type, OLD.state, OLD.priority_score)::text, -1 WHERE OLD.unlisted = 0
      UNION ALL
      SELECT NEW.org, 'findings', json_build_array(NEW.type, NEW.state, NEW.priority_score)::text, 1 WHERE NEW.unlisted = 0;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER facet_counts_findings_changed AFTER UPDATE OF type, state, priority_score, unlisted ON findings
  FOR EACH ROW WHEN ((NEW.type, NEW.state, NEW.priority_score, NEW.unlisted)
    IS DISTINCT FROM (OLD.type, OLD.state, OLD.priority_score, OLD.unlisted))
  EXECUTE FUNCTION count_changed_findings_facets();
