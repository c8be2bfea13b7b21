-- Route planning: profiles of hubs, areas that give tags, results with their versions, and what dispatches changed.
-- New tables: no locks to mind.

create table routing_configurations (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  hub_id text not null,
  name text not null,
  -- What `settings.ts` of the routing feature describes, complete.
  settings jsonb not null,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, hub_id, name),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);

create table routing_geotags (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  hub_id text not null,
  name text not null,
  -- Positions [lng, lat], the first one again at the end.
  ring jsonb not null,
  color text,
  is_active boolean not null default true,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id),
  constraint routing_geotags_name unique (organization_id, hub_id, name),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);

create table routing_results (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  hub_id text not null,
  name text not null,
  result_code text not null,
  routing_date date not null,
  hub_coordinate text not null,
  country_code text,
  status text not null check (status in ('ongoing', 'done', 'failed')),
  message text not null default '',
  configuration_id text,
  configuration jsonb not null,
  -- Everything that the plan is made from, as it was when the run was asked for. Null for a result from a file.
  input jsonb,
  -- `{routing, dropped}` as it is now, and as it was at first (version 0).
  result jsonb not null default '{"routing":[],"dropped":[]}',
  summary jsonb not null default '{}',
  original jsonb,
  current_version int not null default 0,
  warnings text[] not null default '{}',
  assignees text[] not null default '{}',
  user_name text not null,
  created_by text not null,
  created_from text not null,
  finish_time timestamptz,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  dispatch_status text check (dispatch_status in ('ongoing', 'done', 'failed')),
  dispatch_message text,
  -- The run: who works on it, when that one was last heard of, how often it was started, how far it is.
  runner text,
  runner_seen_at timestamptz,
  run_count int not null default 0,
  progress jsonb,
  is_cancelled boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
create index routing_results_created on routing_results (organization_id, created_time desc, id desc);
create index routing_results_hub on routing_results (organization_id, hub_id, updated_time desc);
create index routing_results_code on routing_results (organization_id, result_code);

create table routing_result_histories (
  organization_id text not null,
  result_id text not null,
  version int not null check (version >= 1),
  id text not null,
  action text not null,
  description text not null,
  visits jsonb not null,
  vehicle_from text not null,
  vehicle_to text not null,
  created_from text not null,
  created_type text not null,
  created_by text not null,
  -- The state after the change.
  result jsonb not null,
  summary jsonb not null,
  created_time timestamptz not null default now(),
  primary key (organization_id, result_id, version),
  foreign key (organization_id, result_id) references routing_results (organization_id, id) on delete cascade
);

-- What the last dispatch of a result wrote, so that it can be taken back while nobody has worked on it.
create table routing_dispatches (
  organization_id text not null,
  result_id text not null,
  written_time timestamptz not null,
  -- [{id, before}] of changed tasks, and ids of the tasks that were made.
  changed jsonb not null,
  created text[] not null,
  primary key (organization_id, result_id),
  foreign key (organization_id, result_id) references routing_results (organization_id, id) on delete cascade
);
