-- Incidents of detections: docs/adr/0060-incidents-are-derived-from-detections.md.
CREATE TABLE incidents (
  place INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  status TEXT,
  kind TEXT,
  severity TEXT,
  site TEXT,
  employee_id TEXT,
  people INTEGER,
  detections INTEGER,
  open_detections INTEGER,
  last_activity_timestamp INTEGER,
  -- 1 LOW to 4 CRITICAL, for sorting.
  severity_rank INTEGER,
  record TEXT NOT NULL,
  CHECK (place = (org << 53) | (unlisted << 63) | seq)
) STRICT;
CREATE UNIQUE INDEX incidents_id ON incidents (org, id);
CREATE INDEX incidents_walk ON incidents (org, unlisted, seq, people, detections, open_detections, last_activity_timestamp);
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
  org INTEGER NOT NULL,
  value TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (org, value, seq)
) STRICT, WITHOUT ROWID;

-- Detections as the job last saw them, and their incidents.
CREATE TABLE incident_members (
  org INTEGER NOT NULL,
  detection_id TEXT NOT NULL,
  incident_id TEXT NOT NULL,
  -- Registrable domain of the page; empty without one.
  site TEXT NOT NULL,
  -- Number of the calendar week of the first time.
  week INTEGER NOT NULL,
  employee_id TEXT NOT NULL,
  detection_type TEXT NOT NULL,
  severity TEXT NOT NULL,
  -- 1 if it is not archived.
  open INTEGER NOT NULL,
  -- 1 if detections of its type can be one incident of many people.
  spreads INTEGER NOT NULL,
  first_timestamp INTEGER NOT NULL,
  last_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, detection_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX incident_members_by_place ON incident_members (org, site, week, employee_id);
CREATE INDEX incident_members_by_employee ON incident_members (org, employee_id, incident_id);
CREATE INDEX incident_members_by_first ON incident_members (org, incident_id, first_timestamp, detection_id);
CREATE INDEX incident_members_by_last ON incident_members (org, incident_id, last_timestamp);

-- Number of detections of each incident by type, severity and state.
CREATE TABLE incident_counts (
  org INTEGER NOT NULL,
  incident_id TEXT NOT NULL,
  detection_type TEXT NOT NULL,
  severity TEXT NOT NULL,
  open INTEGER NOT NULL,
  detections INTEGER NOT NULL,
  PRIMARY KEY (org, incident_id, detection_type, severity, open)
) STRICT, WITHOUT ROWID;

-- Number of detections that spread, by site, week and employee.
CREATE TABLE incident_people (
  org INTEGER NOT NULL,
  site TEXT NOT NULL,
  week INTEGER NOT NULL,
  employee_id TEXT NOT NULL,
  detections INTEGER NOT NULL,
  PRIMARY KEY (org, site, week, employee_id)
) STRICT, WITHOUT ROWID;

-- Detections whose incident may be outdated. Triggers add them in the transaction of the change, a job groups them.
CREATE TABLE incident_changes (
  number INTEGER PRIMARY KEY,
  org INTEGER NOT NULL,
  -- Null for all detections of the organization.
  detection_id TEXT,
  -- Position up to which all detections are done.
  done_seq INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO incident_changes (org) SELECT no FROM organizations;

CREATE TRIGGER incident_detection_added AFTER INSERT ON detections
  BEGIN
    INSERT INTO incident_changes (org, detection_id) VALUES (NEW.org, NEW.id);
  END;
CREATE TRIGGER incident_detection_removed AFTER DELETE ON detections
  BEGIN
    INSERT INTO incident_changes (org, detection_id) VALUES (OLD.org, OLD.id);
  END;
CREATE TRIGGER incident_detection_changed
  AFTER UPDATE OF detection_type, severity, archived, employee_id, last_activity_timestamp ON detections
  WHEN NEW.detection_type IS NOT OLD.detection_type OR NEW.severity IS NOT OLD.severity OR NEW.archived IS NOT OLD.archived
    OR NEW.employee_id IS NOT OLD.employee_id OR NEW.last_activity_timestamp IS NOT OLD.last_activity_timestamp
  BEGIN
    INSERT INTO incident_changes (org, detection_id) VALUES (NEW.org, NEW.id);
  END;

-- Own templates of the e-mail that asks employees to resolve findings.
CREATE TABLE request_templates (
  org INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
