-- When dormant browsers have last called, so that those that call are kept; their records show nothing of it.
ALTER TABLE browser_credentials ADD COLUMN dormant_call_timestamp bigint;

-- What is told of late finds its place: when an attack was first seen, when the logins in a row without a second step began,
-- and when administrators have removed login methods.
ALTER TABLE detections ADD COLUMN observed_since bigint;
ALTER TABLE accounts ADD COLUMN without_mfa_since bigint;
ALTER TABLE accounts ADD COLUMN methods_removed text COLLATE "C";
