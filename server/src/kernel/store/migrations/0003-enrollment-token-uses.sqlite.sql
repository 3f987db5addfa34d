-- Number of browsers that enrolled with a token, and time of the last one.
ALTER TABLE enrollment_tokens ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE enrollment_tokens ADD COLUMN last_used_timestamp INTEGER;
