-- A replayed response carries the entity tag of the first one.
-- A column without a default: an exclusive lock on idempotency_keys for a moment.
alter table idempotency_keys add column etag text;
