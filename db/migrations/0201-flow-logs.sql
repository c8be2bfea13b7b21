-- What flows were before and after each change, to compare and to go back. A new table: no locks to mind.

create table flow_logs (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- No foreign key: the logs outlive a deleted flow, which may come back from the trash.
  flow_id text not null,
  action text not null check (action in ('create', 'put', 'reorder')),
  -- The name of who changed it, as it was then.
  changed_by text not null,
  -- The version of raw_data, the flow before the change.
  version int not null,
  raw_data jsonb not null,
  change_data jsonb not null,
  created_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create index flow_logs_time on flow_logs (organization_id, created_time, id);
create index flow_logs_flow on flow_logs (organization_id, flow_id, created_time, id);
