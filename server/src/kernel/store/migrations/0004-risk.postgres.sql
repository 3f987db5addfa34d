-- Priority of findings and risk of accounts and employees: docs/adr/0053-priority-is-kept-by-marks-and-a-job.md.
ALTER TABLE findings ADD COLUMN priority_score bigint;
ALTER TABLE findings ADD COLUMN priority_rules text COLLATE "C";
ALTER TABLE accounts ADD COLUMN risk_score bigint;
ALTER TABLE employees ADD COLUMN risk_score bigint;
CREATE INDEX findings_by_priority_score ON findings (org, priority_score, seq);
CREATE INDEX accounts_by_risk_score ON accounts (org, risk_score, seq);
CREATE INDEX employees_by_risk_score ON employees (org, risk_score, seq);

-- Finds the highest score of an app.
CREATE INDEX findings_app_priority ON findings (org, app_id, priority_score) WHERE priority_score IS NOT NULL;

-- Points of rules that an organization has changed.
CREATE TABLE risk_weights (
  org bigint NOT NULL,
  rule text COLLATE "C" NOT NULL,
  points bigint NOT NULL,
  PRIMARY KEY (org, rule)
);

-- Facts that change without a change of a record, as the daily job last saw them.
CREATE TABLE risk_states (
  org bigint PRIMARY KEY,
  -- Accounts last used before this time count as not in use; UNIX seconds.
  used_before bigint NOT NULL,
  -- Work domains of the organization, as a JSON array.
  domains text COLLATE "C" NOT NULL
);

-- Records whose scores may be outdated. Triggers add them in the transaction of the change, a job computes the scores.
-- A record may be listed several times: with a unique key, transactions that change the same account would wait for each other.
CREATE TABLE risk_changes (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  org bigint NOT NULL,
  -- ACCOUNT, EMPLOYEE or FINDING; APP or ALL for the open findings of an app or of the organization.
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C",
  -- Position up to which the findings of APP and ALL are done.
  done_seq bigint NOT NULL DEFAULT 0
);

INSERT INTO risk_changes (org, kind) SELECT no, 'ALL' FROM organizations;

CREATE FUNCTION mark_added_findings() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO risk_changes (org, kind, id)
      SELECT DISTINCT org,
        CASE WHEN account_id IS NOT NULL THEN 'ACCOUNT' WHEN employee_id IS NOT NULL THEN 'EMPLOYEE' ELSE 'FINDING' END,
        coalesce(account_id, employee_id, id)
      FROM added WHERE state = 'OPEN';
    RETURN NULL;
  END
  $$;
CREATE TRIGGER risk_findings_added AFTER INSERT ON findings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION mark_added_findings();

CREATE FUNCTION mark_changed_finding() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org,
        CASE WHEN NEW.account_id IS NOT NULL THEN 'ACCOUNT' WHEN NEW.employee_id IS NOT NULL THEN 'EMPLOYEE' ELSE 'FINDING' END,
        coalesce(NEW.account_id, NEW.employee_id, NEW.id));
    END IF;
    INSERT INTO risk_changes (org, kind, id) SELECT OLD.org, 'ACCOUNT', OLD.account_id
      WHERE OLD.account_id IS NOT NULL AND (TG_OP = 'DELETE' OR OLD.account_id IS DISTINCT FROM NEW.account_id);
    INSERT INTO risk_changes (org, kind, id) SELECT OLD.org, 'EMPLOYEE', OLD.employee_id
      WHERE OLD.employee_id IS NOT NULL AND (TG_OP = 'DELETE' OR OLD.employee_id IS DISTINCT FROM NEW.employee_id);
    RETURN NULL;
  END
  $$;
CREATE TRIGGER risk_finding_removed AFTER DELETE ON findings
  FOR EACH ROW WHEN (OLD.state = 'OPEN') EXECUTE FUNCTION mark_changed_finding();
CREATE TRIGGER risk_finding_changed AFTER UPDATE OF state, type, employee_id, account_id, app_id ON findings
  FOR EACH ROW WHEN ((NEW.state, NEW.type, NEW.employee_id, NEW.account_id, NEW.app_id)
    IS DISTINCT FROM (OLD.state, OLD.type, OLD.employee_id, OLD.account_id, OLD.app_id))
  EXECUTE FUNCTION mark_changed_finding();

-- A login moves the last use. It matters only after the account may have counted as not in use.
CREATE FUNCTION mark_changed_account() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO risk_changes (org, kind, id) SELECT NEW.org, 'ACCOUNT', NEW.id
      WHERE EXISTS (SELECT 1 FROM findings WHERE org = NEW.org AND account_id = NEW.id);
    RETURN NULL;
  END
  $$;
CREATE TRIGGER risk_account_changed AFTER UPDATE OF mfa, app_id, email, last_used_timestamp ON accounts
  FOR EACH ROW WHEN ((NEW.mfa, NEW.app_id, NEW.email) IS DISTINCT FROM (OLD.mfa, OLD.app_id, OLD.email)
    OR coalesce(NEW.last_used_timestamp, 0) NOT BETWEEN coalesce(OLD.last_used_timestamp, 0) AND coalesce(OLD.last_used_timestamp, 0) + 604800)
  EXECUTE FUNCTION mark_changed_account();

CREATE FUNCTION mark_changed_app() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org, 'APP', NEW.id);
    RETURN NULL;
  END
  $$;
CREATE TRIGGER risk_app_changed AFTER UPDATE OF sensitivity_level ON apps
  FOR EACH ROW WHEN (NEW.sensitivity_level IS DISTINCT FROM OLD.sensitivity_level) EXECUTE FUNCTION mark_changed_app();

CREATE FUNCTION mark_phished_employee() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org, 'EMPLOYEE', NEW.employee_id);
    END IF;
    IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND OLD.employee_id IS DISTINCT FROM NEW.employee_id) THEN
      INSERT INTO risk_changes (org, kind, id) VALUES (OLD.org, 'EMPLOYEE', OLD.employee_id);
    END IF;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER risk_detection_added AFTER INSERT ON detections
  FOR EACH ROW WHEN (NEW.detection_type = 'PHISHING' AND NEW.severity = 'CRITICAL') EXECUTE FUNCTION mark_phished_employee();
CREATE TRIGGER risk_detection_removed AFTER DELETE ON detections
  FOR EACH ROW WHEN (OLD.detection_type = 'PHISHING' AND OLD.severity = 'CRITICAL') EXECUTE FUNCTION mark_phished_employee();
CREATE TRIGGER risk_detection_changed AFTER UPDATE OF severity, archived, classification, employee_id ON detections
  FOR EACH ROW WHEN (NEW.detection_type = 'PHISHING' AND 'CRITICAL' IN (NEW.severity, OLD.severity)
    AND (NEW.severity, NEW.archived, NEW.classification, NEW.employee_id)
      IS DISTINCT FROM (OLD.severity, OLD.archived, OLD.classification, OLD.employee_id))
  EXECUTE FUNCTION mark_phished_employee();
