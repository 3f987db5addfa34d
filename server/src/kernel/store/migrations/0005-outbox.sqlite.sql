-- Events, those who wish for them, and what became of each. The ids of events are UUIDs of version 7: they rise with the
-- time at which an event was written, so their order is the order of the events, and a range of them is a range of time.

CREATE TABLE events (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  object TEXT NOT NULL,
  category TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (org, id)
) STRICT;

CREATE TABLE webhooks (
  org INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT,
  url TEXT NOT NULL,
  categories TEXT NOT NULL,
  objects TEXT NOT NULL,
  headers_sealed TEXT,
  secret_sealed TEXT,
  previous_secret_sealed TEXT,
  previous_secret_until INTEGER,
  enabled INTEGER NOT NULL,
  disabled_reason TEXT,
  creation_timestamp INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  PRIMARY KEY (org, id)
) STRICT;

-- A row for each object that an endpoint which is enabled wishes: whether to write an event at all is one look here.
CREATE TABLE webhook_wishes (
  org INTEGER NOT NULL,
  object TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  PRIMARY KEY (org, object, webhook_id)
) STRICT, WITHOUT ROWID;

-- Who takes a delivery (lease) puts off when it is due: if nothing more is heard of it until then, it is due again.
CREATE TABLE webhook_deliveries (
  org INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_ms INTEGER NOT NULL,
  lease TEXT,
  PRIMARY KEY (org, webhook_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (org, webhook_id, due_ms, event_id) WHERE state = 'PENDING';

CREATE INDEX webhook_deliveries_by_failure ON webhook_deliveries (org, webhook_id, event_id) WHERE state = 'FAILED';

CREATE TABLE webhook_attempts (
  org INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  status INTEGER,
  latency_ms INTEGER NOT NULL,
  answer TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (org, webhook_id, event_id, attempt)
) STRICT, WITHOUT ROWID;

-- Attempts of each hour; those that were forgiven when the endpoint was switched on count no more against it.
CREATE TABLE webhook_hours (
  org INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  hour_timestamp INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  forgiven INTEGER NOT NULL DEFAULT 0,
  latency_ms_sum INTEGER NOT NULL,
  PRIMARY KEY (org, webhook_id, hour_timestamp)
) STRICT, WITHOUT ROWID;
