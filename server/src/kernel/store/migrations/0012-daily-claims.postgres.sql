-- Until when a daily job is left to whoever has begun it; null once it is done. One whose process was killed is begun anew.

ALTER TABLE daily_jobs ADD COLUMN claimed_until_ms bigint;
