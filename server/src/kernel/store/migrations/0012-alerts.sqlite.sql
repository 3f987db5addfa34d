-- Rules that tell people about events: docs/adr/0066-alerts-to-people.md. Name, destination and secret of a rule are in the row of
-- `webhooks` with its ID and the kind ALERT.
CREATE TABLE alert_rules (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  -- Conditions and schedule, as JSON.
  definition TEXT NOT NULL,
  -- Earliest time of the next message that is sent at once.
  rests_until_ms INTEGER NOT NULL,
  -- Time up to which silent agents were reported; UNIX seconds.
  silent_until_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, id)
) STRICT, WITHOUT ROWID;

-- Events of a rule that wait for a message: `source_id` is the ID of an event, or of a silent browser.
CREATE TABLE alert_items (
  org INTEGER NOT NULL,
  rule_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  -- EVENT or BROWSER.
  source TEXT NOT NULL,
  -- Items with the same group are one line.
  group_key TEXT NOT NULL,
  -- From 0, low, to 3, critical.
  severity INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  PRIMARY KEY (org, rule_id, source_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_items_by_due ON alert_items (due_ms);

-- Incidents that a rule has reported, and the time of their last detection; UNIX seconds.
CREATE TABLE alert_groups (
  org INTEGER NOT NULL,
  rule_id TEXT NOT NULL,
  group_key TEXT NOT NULL,
  last_timestamp INTEGER NOT NULL,
  PRIMARY KEY (org, rule_id, group_key)
) STRICT, WITHOUT ROWID;
