-- A member is told what changes himself (his role, hubs, status) whatever he may see of others. Adding a column
-- without a default only touches the catalogue; the lock on live_events is held for milliseconds.
alter table live_events add column owner text;
