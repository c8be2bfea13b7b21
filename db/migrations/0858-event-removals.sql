-- Up to where the events of an organization have been removed: a reader of the feed whose cursor lies before that has
-- missed some and is told so. A new table.
create table domain_event_removals (
  organization_id text primary key references organizations (id) on delete cascade,
  xid xid8 not null,
  -- The last number that the last removed row may hold.
  number bigint not null
);
