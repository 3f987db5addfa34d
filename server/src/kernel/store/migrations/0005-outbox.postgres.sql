-- Events, those who wish for them, and what became of each. The ids of events are UUIDs of version 7: they rise with the
-- time at which an event was written, so their order is the order of the events, and a range of them is a range of time.

CREATE TABLE events (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  timestamp bigint NOT NULL,
  object text COLLATE "C" NOT NULL,
  category text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, id)
);

CREATE TABLE webhooks (
  org bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  url text COLLATE "C" NOT NULL,
  categories text COLLATE "C" NOT NULL,
  objects text COLLATE "C" NOT NULL,
  headers_sealed text COLLATE "C",
  secret_sealed text COLLATE "C",
  previous_secret_sealed text COLLATE "C",
  previous_secret_until bigint,
  enabled bigint NOT NULL,
  disabled_reason text COLLATE "C",
  creation_timestamp bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, id)
);

-- A row for each object that an endpoint which is enabled wishes: whether to write an event at all is one look here.
CREATE TABLE webhook_wishes (
  org bigint NOT NULL,
  object text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, object, webhook_id)
);

-- Who takes a delivery (lease) puts off when it is due: if nothing more is heard of it until then, it is due again.
CREATE TABLE webhook_deliveries (
  org bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  due_ms bigint NOT NULL,
  lease text COLLATE "C",
  PRIMARY KEY (org, webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (org, webhook_id, due_ms, event_id) WHERE state = 'PENDING';

CREATE INDEX webhook_deliveries_by_failure ON webhook_deliveries (org, webhook_id, event_id) WHERE state = 'FAILED';

CREATE TABLE webhook_attempts (
  org bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  attempt bigint NOT NULL,
  at_ms bigint NOT NULL,
  status bigint,
  latency_ms bigint NOT NULL,
  answer text COLLATE "C" NOT NULL,
  error text COLLATE "C",
  PRIMARY KEY (org, webhook_id, event_id, attempt)
);

-- Attempts of each hour; those that were forgiven when the endpoint was switched on count no more against it.
CREATE TABLE webhook_hours (
  org bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  hour_timestamp bigint NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  forgiven bigint NOT NULL DEFAULT 0,
  latency_ms_sum bigint NOT NULL,
  PRIMARY KEY (org, webhook_id, hour_timestamp)
);
