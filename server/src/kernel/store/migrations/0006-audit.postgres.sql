-- The audit trail: rows that are only ever added, each with the hash of the one before. The head of a chain is kept
-- apart, so that rows cut off at its end are missed.

CREATE TABLE audit_events (
  org bigint NOT NULL,
  position bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  timestamp bigint NOT NULL,
  object text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  previous_hash text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (org, position)
);
-- Whatever a list is narrowed by stands in one index: each further one would be paid for by every write.
CREATE INDEX audit_events_by_time ON audit_events (org, timestamp, position, object, actor);

CREATE TABLE audit_heads (
  org bigint PRIMARY KEY,
  position bigint NOT NULL,
  previous_hash text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL
);

-- A row that comes without a position is put at the end of the chain; one that has its place is a copy from another store.
CREATE FUNCTION chain_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO audit_heads AS head (org, position, previous_hash, hash)
    VALUES (NEW.org, 1, '', encode(sha256(convert_to(NEW.event, 'UTF8')), 'hex'))
    ON CONFLICT (org) DO UPDATE SET position = head.position + 1, previous_hash = head.hash,
      hash = encode(sha256(convert_to(head.hash || NEW.event, 'UTF8')), 'hex')
    RETURNING head.position, head.previous_hash, head.hash INTO NEW.position, NEW.previous_hash, NEW.hash; RETURN NEW; END $$;

CREATE TRIGGER audit_events_chain BEFORE INSERT ON audit_events FOR EACH ROW WHEN (NEW.position IS NULL)
  EXECUTE FUNCTION chain_audit_event();

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'the audit trail is append-only'; END $$;

CREATE TRIGGER audit_events_kept BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW
  EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_events_kept_whole BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_audit_change();

-- Whether the end of a key's time has been told. What ended before is old news.
ALTER TABLE api_keys ADD COLUMN expiry_told bigint NOT NULL DEFAULT 0;
UPDATE api_keys SET expiry_told = 1 WHERE expiry_timestamp <= extract(epoch FROM now());
CREATE INDEX api_keys_by_untold_expiry ON api_keys (expiry_timestamp) WHERE expiry_told = 0 AND revoked_timestamp IS NULL;
