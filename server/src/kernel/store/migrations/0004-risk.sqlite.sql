-- Priority of findings and risk of accounts and employees: docs/adr/0053-priority-is-kept-by-marks-and-a-job.md.
ALTER TABLE findings ADD COLUMN priority_score INTEGER;
ALTER TABLE findings ADD COLUMN priority_rules TEXT;
ALTER TABLE accounts ADD COLUMN risk_score INTEGER;
ALTER TABLE employees ADD COLUMN risk_score INTEGER;
CREATE INDEX findings_by_priority_score ON findings (org, priority_score, seq);
CREATE INDEX accounts_by_risk_score ON accounts (org, risk_score, seq);
CREATE INDEX employees_by_risk_score ON employees (org, risk_score, seq);

-- Finds the highest score of an app.
CREATE INDEX findings_app_priority ON findings (org, app_id, priority_score) WHERE priority_score IS NOT NULL;

-- Points of rules that an organization has changed.
CREATE TABLE risk_weights (
  org INTEGER NOT NULL,
  rule TEXT NOT NULL,
  points INTEGER NOT NULL,
  PRIMARY KEY (org, rule)
) STRICT, WITHOUT ROWID;

-- Facts that change without a change of a record, as the daily job last saw them.
CREATE TABLE risk_states (
  org INTEGER PRIMARY KEY,
  -- Accounts last used before this time count as not in use; UNIX seconds.
  used_before INTEGER NOT NULL,
  -- Work domains of the organization, as a JSON array.
  domains TEXT NOT NULL
) STRICT;

-- Records whose scores may be outdated. Triggers add them in the transaction of the change, a job computes the scores.
CREATE TABLE risk_changes (
  number INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  -- ACCOUNT, EMPLOYEE or FINDING; APP or ALL for the open findings of an app or of the organization.
  kind TEXT NOT NULL,
  id TEXT,
  -- Position up to which the findings of APP and ALL are done.
  done_seq INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO risk_changes (org, kind) SELECT no, 'ALL' FROM organizations;

CREATE TRIGGER risk_finding_added AFTER INSERT ON findings WHEN NEW.state = 'OPEN'
  BEGIN
    INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org,
      CASE WHEN NEW.account_id IS NOT NULL THEN 'ACCOUNT' WHEN NEW.employee_id IS NOT NULL THEN 'EMPLOYEE' ELSE 'FINDING' END,
      coalesce(NEW.account_id, NEW.employee_id, NEW.id));
  END;
CREATE TRIGGER risk_finding_removed AFTER DELETE ON findings WHEN OLD.state = 'OPEN'
  BEGIN
    INSERT INTO risk_changes (org, kind, id) SELECT OLD.org, 'ACCOUNT', OLD.account_id WHERE OLD.account_id IS NOT NULL;
    INSERT INTO risk_changes (org, kind, id) SELECT OLD.org, 'EMPLOYEE', OLD.employee_id WHERE OLD.employee_id IS NOT NULL;
  END;
CREATE TRIGGER risk_finding_changed AFTER UPDATE OF state, type, employee_id, account_id, app_id ON findings
  WHEN NEW.state IS NOT OLD.state OR NEW.type IS NOT OLD.type OR NEW.employee_id IS NOT OLD.employee_id
    OR NEW.account_id IS NOT OLD.account_id OR NEW.app_id IS NOT OLD.app_id
  BEGIN
    INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org,
      CASE WHEN NEW.account_id IS NOT NULL THEN 'ACCOUNT' WHEN NEW.employee_id IS NOT NULL THEN 'EMPLOYEE' ELSE 'FINDING' END,
      coalesce(NEW.account_id, NEW.employee_id, NEW.id));
    INSERT INTO risk_changes (org, kind, id) SELECT OLD.org, 'ACCOUNT', OLD.account_id
      WHERE OLD.account_id IS NOT NULL AND OLD.account_id IS NOT NEW.account_id;
    INSERT INTO risk_changes (org, kind, id) SELECT OLD.org, 'EMPLOYEE', OLD.employee_id
      WHERE OLD.employee_id IS NOT NULL AND OLD.employee_id IS NOT NEW.employee_id;
  END;
-- A login moves the last use. It matters only after the account may have counted as not in use.
CREATE TRIGGER risk_account_changed AFTER UPDATE OF mfa, app_id, email, last_used_timestamp ON accounts
  WHEN NEW.mfa IS NOT OLD.mfa OR NEW.app_id IS NOT OLD.app_id OR NEW.email IS NOT OLD.email
    OR coalesce(NEW.last_used_timestamp, 0) NOT BETWEEN coalesce(OLD.last_used_timestamp, 0) AND coalesce(OLD.last_used_timestamp, 0) + 604800
  BEGIN
    INSERT INTO risk_changes (org, kind, id) SELECT NEW.org, 'ACCOUNT', NEW.id
      WHERE EXISTS (SELECT 1 FROM findings WHERE org = NEW.org AND account_id = NEW.id);
  END;
CREATE TRIGGER risk_app_changed AFTER UPDATE OF sensitivity_level ON apps
  WHEN NEW.sensitivity_level IS NOT OLD.sensitivity_level
  BEGIN
    INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org, 'APP', NEW.id);
  END;
CREATE TRIGGER risk_detection_added AFTER INSERT ON detections
  WHEN NEW.detection_type = 'PHISHING' AND NEW.severity = 'CRITICAL'
  BEGIN
    INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org, 'EMPLOYEE', NEW.employee_id);
  END;
CREATE TRIGGER risk_detection_removed AFTER DELETE ON detections
  WHEN OLD.detection_type = 'PHISHING' AND OLD.severity = 'CRITICAL'
  BEGIN
    INSERT INTO risk_changes (org, kind, id) VALUES (OLD.org, 'EMPLOYEE', OLD.employee_id);
  END;
CREATE TRIGGER risk_detection_changed AFTER UPDATE OF severity, archived, classification, employee_id ON detections
  WHEN NEW.detection_type = 'PHISHING' AND 'CRITICAL' IN (NEW.severity, OLD.severity)
    AND (NEW.severity IS NOT OLD.severity OR NEW.archived IS NOT OLD.archived
      OR NEW.classification IS NOT OLD.classification OR NEW.employee_id IS NOT OLD.employee_id)
  BEGIN
    INSERT INTO risk_changes (org, kind, id) VALUES (NEW.org, 'EMPLOYEE', NEW.employee_id);
    INSERT INTO risk_changes (org, kind, id) SELECT OLD.org, 'EMPLOYEE', OLD.employee_id
      WHERE OLD.employee_id IS NOT NEW.employee_id;
  END;
