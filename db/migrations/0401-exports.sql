-- Exports: what was asked for, what became of it, and saved configurations.
-- New tables only: no locks to mind.

create table exports (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  data_type text not null check (data_type in ('task', 'data', 'vehicle', 'driver', 'route')),
  data_name text not null,
  status text not null check (status in ('Processing', 'Done', 'Failed')),
  -- What was asked for: format, fields, filters. Enough to run it again.
  request jsonb not null,
  is_background boolean not null,
  file_key text,
  file_type text not null,
  total_records int not null default 0,
  error_message text,
  hub_names text[] not null default '{}',
  export_config_id text,
  user_id text not null,
  email text not null,
  user_name text not null,
  requested_time timestamptz not null,
  completed_time timestamptz,
  primary key (organization_id, id)
);
create index exports_requested on exports (organization_id, requested_time desc, id desc);
create index exports_age on exports (requested_time);

create table export_configs (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  description text,
  collection text not null,
  flow_ids text[] not null,
  -- Components of flows and task keys, copied as they came; their order is the order of the columns.
  fields jsonb not null,
  filters jsonb,
  format text,
  schedule jsonb,
  -- On whose behalf the schedule exports, and up to when its runs are made or skipped.
  scheduled_by text,
  scheduled_until timestamptz,
  next_run_time timestamptz,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index export_configs_name on export_configs (organization_id, lower(name));
create index export_configs_due on export_configs (next_run_time) where next_run_time is not null;
