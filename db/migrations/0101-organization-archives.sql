-- The archive of a whole organization that one of its owners asked for, the newest only. A new table: no lock.

create table organization_archives (
  organization_id text primary key references organizations (id) on delete cascade,
  id text not null,
  -- The owner who asked: nobody else is given the link.
  user_id text not null,
  status text not null check (status in ('making', 'ready', 'failed')),
  requested_time timestamptz not null,
  completed_time timestamptz,
  bytes bigint,
  file_key text,
  error text
);
