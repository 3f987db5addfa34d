-- Figures of each day (UTC), written once after it has ended. `flows` and `levels` are JSON objects of numbers by name.
CREATE TABLE daily_figures (
  org INTEGER NOT NULL REFERENCES organizations (no),
  -- Days since the UNIX epoch.
  day INTEGER NOT NULL,
  -- Numbers of events of the day, counted from timestamps of records.
  flows TEXT NOT NULL,
  -- Numbers of records in a state when the day had ended. Null if nobody counted them then.
  levels TEXT,
  PRIMARY KEY (org, day)
) STRICT, WITHOUT ROWID;

-- Administrators who get the monthly report by mail.
CREATE TABLE report_subscriptions (
  org INTEGER NOT NULL,
  administrator_id TEXT NOT NULL,
  PRIMARY KEY (org, administrator_id)
) STRICT, WITHOUT ROWID;

-- Counts closed findings by day without reading records.
CREATE INDEX findings_resolved ON findings (org, type, last_updated_timestamp, seq) WHERE state = 'RESOLVED';
