-- Saved filters that all administrators of the organization see.
ALTER TABLE saved_filters ADD COLUMN shared bigint NOT NULL DEFAULT 0;

-- Time when an administrator dismissed the checklist of the first steps.
ALTER TABLE administrators ADD COLUMN checklist_dismissed_timestamp bigint;
