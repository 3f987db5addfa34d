-- Rules that tell people about events: docs/adr/0066-alerts-to-people.md. Name, destination and secret of a rule are in the row of
-- `webhooks` with its ID and the kind ALERT.
CREATE TABLE alert_rules (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Conditions and schedule, as JSON.
  definition text COLLATE "C" NOT NULL,
  -- Earliest time of the next message that is sent at once.
  rests_until_ms bigint NOT NULL,
  -- Time up to which silent agents were reported; UNIX seconds.
  silent_until_timestamp bigint NOT NULL,
  PRIMARY KEY (org, id)
);

-- Events of a rule that wait for a message: `source_id` is the ID of an event, or of a silent browser.
CREATE TABLE alert_items (
  org bigint NOT NULL,
  rule_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  -- EVENT or BROWSER.
  source text COLLATE "C" NOT NULL,
  -- Items with the same group are one line.
  group_key text COLLATE "C" NOT NULL,
  -- From 0, low, to 3, critical.
  severity smallint NOT NULL,
  due_ms bigint NOT NULL,
  PRIMARY KEY (org, rule_id, source_id)
);
CREATE INDEX alert_items_by_due ON alert_items (due_ms);

-- Incidents that a rule has reported, and the time of their last detection; UNIX seconds.
CREATE TABLE alert_groups (
  org bigint NOT NULL,
  rule_id text COLLATE "C" NOT NULL,
  group_key text COLLATE "C" NOT NULL,
  last_timestamp bigint NOT NULL,
  PRIMARY KEY (org, rule_id, group_key)
);
