-- A receiver may ask by Retry-After to be left alone for a while: the whole endpoint then waits.
-- A column without a default: an exclusive lock on webhook_endpoints for a moment.
alter table webhook_endpoints add column not_before timestamptz;
