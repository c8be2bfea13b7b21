-- Tasks that a dispatch made carry which part or handover they are, so that dispatching again finds them.
-- The table is new and small: the lock is short.
alter table routing_dispatches drop column created;
alter table routing_dispatches add column created jsonb not null default '[]';
