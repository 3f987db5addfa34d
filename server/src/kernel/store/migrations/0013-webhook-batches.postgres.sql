-- Maximum number of events per request of a webhook. 1: the request has the event itself; more: an array of events.
ALTER TABLE webhooks ADD COLUMN batch_size bigint NOT NULL DEFAULT 1;
