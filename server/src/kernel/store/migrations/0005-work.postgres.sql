-- Work on findings and detections: docs/adr/0054-work-beside-the-records.md. IDs of records are unique among both.
CREATE TABLE work_states (
  org bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  -- Administrator who works on it.
  assignee_id text COLLATE "C",
  -- SNOOZED or RISK_ACCEPTED, until a time; UNIX seconds.
  status text COLLATE "C",
  until_timestamp bigint,
  PRIMARY KEY (org, record_id)
);
CREATE INDEX work_states_by_assignee ON work_states (org, assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX work_states_by_status ON work_states (org, status, until_timestamp) WHERE status IS NOT NULL;

-- History of a record: notes and changes, numbered from 1.
CREATE TABLE work_entries (
  org bigint NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  timestamp bigint NOT NULL,
  -- Name of the administrator at that time; null for what happened by itself.
  author text COLLATE "C",
  -- Values before and after a change.
  before text COLLATE "C",
  after text COLLATE "C",
  until_timestamp bigint,
  text text COLLATE "C",
  PRIMARY KEY (org, record_id, number)
);

-- A finding that is resolved or opens again is no longer snoozed or accepted, whoever changed it.
CREATE FUNCTION change_finding_work() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO work_entries (org, record_id, number, kind, timestamp, before, after)
      SELECT NEW.org, NEW.id, coalesce(max(number), 0) + 1, 'STATE', NEW.last_updated_timestamp, OLD.state, NEW.state
      FROM work_entries WHERE org = NEW.org AND record_id = NEW.id;
    UPDATE work_states SET status = NULL, until_timestamp = NULL
      WHERE org = NEW.org AND record_id = NEW.id AND status IS NOT NULL;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER findings_work_changed AFTER UPDATE OF state ON findings
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state) EXECUTE FUNCTION change_finding_work();

CREATE FUNCTION remove_work() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM work_states WHERE org = OLD.org AND record_id = OLD.id;
    DELETE FROM work_entries WHERE org = OLD.org AND record_id = OLD.id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER findings_work_removed AFTER DELETE ON findings
  FOR EACH ROW EXECUTE FUNCTION remove_work();
CREATE TRIGGER detections_work_removed AFTER DELETE ON detections
  FOR EACH ROW EXECUTE FUNCTION remove_work();
