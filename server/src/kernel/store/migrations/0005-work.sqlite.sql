-- Work on findings and detections: docs/adr/0054-work-beside-the-records.md. IDs of records are unique among both.
CREATE TABLE work_states (
  org INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  -- Administrator who works on it.
  assignee_id TEXT,
  -- SNOOZED or RISK_ACCEPTED, until a time; UNIX seconds.
  status TEXT,
  until_timestamp INTEGER,
  PRIMARY KEY (org, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_states_by_assignee ON work_states (org, assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX work_states_by_status ON work_states (org, status, until_timestamp) WHERE status IS NOT NULL;

-- History of a record: notes and changes, numbered from 1.
CREATE TABLE work_entries (
  org INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  -- Name of the administrator at that time; null for what happened by itself.
  author TEXT,
  -- Values before and after a change.
  before TEXT,
  after TEXT,
  until_timestamp INTEGER,
  text TEXT,
  PRIMARY KEY (org, record_id, number)
) STRICT, WITHOUT ROWID;

-- A finding that is resolved or opens again is no longer snoozed or accepted, whoever changed it.
CREATE TRIGGER findings_work_changed AFTER UPDATE OF state ON findings WHEN NEW.state IS NOT OLD.state
  BEGIN
    INSERT INTO work_entries (org, record_id, number, kind, timestamp, before, after)
      SELECT NEW.org, NEW.id, coalesce(max(number), 0) + 1, 'STATE', NEW.last_updated_timestamp, OLD.state, NEW.state
      FROM work_entries WHERE org = NEW.org AND record_id = NEW.id;
    UPDATE work_states SET status = NULL, until_timestamp = NULL
      WHERE org = NEW.org AND record_id = NEW.id AND status IS NOT NULL;
  END;
CREATE TRIGGER findings_work_removed AFTER DELETE ON findings
  BEGIN
    DELETE FROM work_states WHERE org = OLD.org AND record_id = OLD.id;
    DELETE FROM work_entries WHERE org = OLD.org AND record_id = OLD.id;
  END;
CREATE TRIGGER detections_work_removed AFTER DELETE ON detections
  BEGIN
    DELETE FROM work_states WHERE org = OLD.org AND record_id = OLD.id;
    DELETE FROM work_entries WHERE org = OLD.org AND record_id = OLD.id;
  END;
