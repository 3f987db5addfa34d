-- When dormant browsers have last called, so that those that call are kept; their records show nothing of it.
ALTER TABLE browser_credentials ADD COLUMN dormant_call_timestamp bigint;
