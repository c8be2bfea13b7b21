-- What the service reports of a flow contain. A new, empty table: no lock matters.
create table report_settings (
  organization_id text not null references organizations (id) on delete cascade,
  flow_id text not null,
  settings jsonb not null default '{}',
  updated_time timestamptz not null default now(),
  updated_by text,
  primary key (organization_id, flow_id)
);
