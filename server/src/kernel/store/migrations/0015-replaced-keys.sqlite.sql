-- Which API key was made in the place of another one; null if none was. A key is rotated once.

ALTER TABLE api_keys ADD COLUMN replaced_by TEXT;
