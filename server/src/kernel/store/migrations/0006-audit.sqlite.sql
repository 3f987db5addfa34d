-- The audit trail: rows that are only ever added, each with the hash of the one before. The head of a chain is kept
-- apart, so that rows cut off at its end are missed.

CREATE TABLE audit_events (
  org INTEGER NOT NULL,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  object TEXT NOT NULL,
  actor TEXT NOT NULL,
  event TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (org, position)
) STRICT, WITHOUT ROWID;
-- Whatever a list is narrowed by stands in one index: each further one would be paid for by every write.
CREATE INDEX audit_events_by_time ON audit_events (org, timestamp, position, object, actor);

CREATE TABLE audit_heads (
  org INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_events_unchanged BEFORE UPDATE ON audit_events
  BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

CREATE TRIGGER audit_events_kept BEFORE DELETE ON audit_events
  BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

-- REPLACE removes what is in its way without asking the trigger before.
CREATE TRIGGER audit_events_not_replaced BEFORE INSERT ON audit_events
  WHEN EXISTS (SELECT 1 FROM audit_events WHERE org = NEW.org AND position = NEW.position)
  BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

-- Whether the end of a key's time has been told. What ended before is old news.
ALTER TABLE api_keys ADD COLUMN expiry_told INTEGER NOT NULL DEFAULT 0;
UPDATE api_keys SET expiry_told = 1 WHERE expiry_timestamp <= unixepoch();
CREATE INDEX api_keys_by_untold_expiry ON api_keys (expiry_timestamp) WHERE expiry_told = 0 AND revoked_timestamp IS NULL;
