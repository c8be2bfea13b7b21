-- The request or job that an event came from, so that deliveries and their log entries can name it: the W3C trace
-- context to continue, and the id that the caller got as x-request-id. Columns without defaults: an exclusive lock on
-- domain_events and automation_log for a moment each.
alter table domain_events
  add column traceparent text,
  add column request_id text;
alter table automation_log
  add column traceparent text,
  add column request_id text;
