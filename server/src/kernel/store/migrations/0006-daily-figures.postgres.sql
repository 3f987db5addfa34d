-- Figures of each day (UTC), written once after it has ended. `flows` and `levels` are JSON objects of numbers by name.
CREATE TABLE daily_figures (
  org bigint NOT NULL REFERENCES organizations (no),
  -- Days since the UNIX epoch.
  day bigint NOT NULL,
  -- Numbers of events of the day, counted from timestamps of records.
  flows text NOT NULL,
  -- Numbers of records in a state when the day had ended. Null if nobody counted them then.
  levels text,
  PRIMARY KEY (org, day)
);

-- Administrators who get the monthly report by mail.
CREATE TABLE report_subscriptions (
  org bigint NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, administrator_id)
);

-- Counts closed findings by day without reading records.
CREATE INDEX findings_resolved ON findings (org, type, last_updated_timestamp, seq) WHERE state = 'RESOLVED';
