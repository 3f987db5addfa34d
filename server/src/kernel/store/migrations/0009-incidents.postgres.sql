-- Incidents of detections: docs/adr/0060-incidents-are-derived-from-detections.md.
CREATE TABLE incidents (
  org bigint NOT NULL,
  unlisted bigint NOT NULL DEFAULT 0,
  seq bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text COLLATE "C",
  kind text COLLATE "C",
  severity text COLLATE "C",
  site text COLLATE "C",
  employee_id text COLLATE "C",
  people bigint,
  detections bigint,
  open_detections bigint,
  last_activity_timestamp bigint,
  -- 1 LOW to 4 CRITICAL, for sorting.
  severity_rank bigint,
  record text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, unlisted, seq)
);
CREATE UNIQUE INDEX incidents_id ON incidents (org, id);
CREATE INDEX incidents_walk ON incidents (org, unlisted, seq) INCLUDE (people, detections, open_detections, last_activity_timestamp);
CREATE INDEX incidents_by_status ON incidents (org, status, seq);
CREATE INDEX incidents_by_kind ON incidents (org, kind, seq);
CREATE INDEX incidents_by_severity ON incidents (org, severity, seq);
CREATE INDEX incidents_by_site ON incidents (org, site, seq) WHERE site IS NOT NULL;
CREATE INDEX incidents_by_employee_id ON incidents (org, employee_id, seq) WHERE employee_id IS NOT NULL;
CREATE INDEX incidents_by_people ON incidents (org, people, seq);
CREATE INDEX incidents_by_detections ON incidents (org, detections, seq);
CREATE INDEX incidents_by_open_detections ON incidents (org, open_detections, seq);
CREATE INDEX incidents_by_last_activity_timestamp ON incidents (org, last_activity_timestamp, seq);
CREATE INDEX incidents_by_severity_rank ON incidents (org, severity_rank, seq);

-- Types of the detections of incidents.
CREATE TABLE incidents_detection_types (
  org bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (org, value, seq)
);

-- Detections as the job last saw them, and their incidents.
CREATE TABLE incident_members (
  org bigint NOT NULL,
  detection_id text COLLATE "C" NOT NULL,
  incident_id text COLLATE "C" NOT NULL,
  -- Registrable domain of the page; empty without one.
  site text COLLATE "C" NOT NULL,
  -- Number of the calendar week of the first time.
  week bigint NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  detection_type text COLLATE "C" NOT NULL,
  severity text COLLATE "C" NOT NULL,
  -- 1 if it is not archived.
  open bigint NOT NULL,
  -- 1 if detections of its type can be one incident of many people.
  spreads bigint NOT NULL,
  first_timestamp bigint NOT NULL,
  last_timestamp bigint NOT NULL,
  PRIMARY KEY (org, detection_id)
);
CREATE INDEX incident_members_by_place ON incident_members (org, site, week, employee_id);
CREATE INDEX incident_members_by_employee ON incident_members (org, employee_id, incident_id);
CREATE INDEX incident_members_by_first ON incident_members (org, incident_id, first_timestamp, detection_id);
CREATE INDEX incident_members_by_last ON incident_members (org, incident_id, last_timestamp);

-- Number of detections of each incident by type, severity and state.
CREATE TABLE incident_counts (
  org bigint NOT NULL,
  incident_id text COLLATE "C" NOT NULL,
  detection_type text COLLATE "C" NOT NULL,
  severity text COLLATE "C" NOT NULL,
  open bigint NOT NULL,
  detections bigint NOT NULL,
  PRIMARY KEY (org, incident_id, detection_type, severity, open)
);

-- Number of detections that spread, by site, week and employee.
CREATE TABLE incident_people (
  org bigint NOT NULL,
  site text COLLATE "C" NOT NULL,
  week bigint NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  detections bigint NOT NULL,
  PRIMARY KEY (org, site, week, employee_id)
);

-- Detections whose incident may be outdated. Triggers add them in the transaction of the change, a job groups them.
CREATE TABLE incident_changes (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  org bigint NOT NULL,
  -- Null for all detections of the organization.
  detection_id text COLLATE "C",
  -- Position up to which all detections are done.
  done_seq bigint NOT NULL DEFAULT 0
);

INSERT INTO incident_changes (org) SELECT no FROM organizations;

CREATE FUNCTION mark_added_detections() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO incident_changes (org, detection_id) SELECT org, id FROM added;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER incident_detections_added AFTER INSERT ON detections REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION mark_added_detections();

CREATE FUNCTION mark_changed_detection() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO incident_changes (org, detection_id)
      SELECT coalesce(NEW.org, OLD.org), coalesce(NEW.id, OLD.id);
    RETURN NULL;
  END
  $$;
CREATE TRIGGER incident_detection_removed AFTER DELETE ON detections
  FOR EACH ROW EXECUTE FUNCTION mark_changed_detection();
CREATE TRIGGER incident_detection_changed
  AFTER UPDATE OF detection_type, severity, archived, employee_id, last_activity_timestamp ON detections
  FOR EACH ROW WHEN ((NEW.detection_type, NEW.severity, NEW.archived, NEW.employee_id, NEW.last_activity_timestamp)
    IS DISTINCT FROM (OLD.detection_type, OLD.severity, OLD.archived, OLD.employee_id, OLD.last_activity_timestamp))
  EXECUTE FUNCTION mark_changed_detection();

-- Own templates of the e-mail that asks employees to resolve findings.
CREATE TABLE request_templates (
  org bigint PRIMARY KEY,
  subject text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL
);
