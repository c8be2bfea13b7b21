-- Flows and tasks, with the counts that keep lists fast.
-- Runs on an empty database: no locks to mind.

create table flows (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  pages jsonb not null,
  configurations jsonb not null,
  is_default boolean not null default false,
  order_index int not null,
  version int not null default 1,
  created_by text,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index flows_name on flows (organization_id, name);
create index flows_order on flows (organization_id, order_index desc, id desc);

create table tasks (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  hub_id text not null,
  -- Flows may be deleted while their tasks stay, hence no foreign key.
  flow_id text not null,
  flow text not null,
  status text not null check (status in ('UNASSIGNED', 'ONGOING', 'DONE')),
  task_type text not null default 'task',
  title text,
  content text,
  label text,
  -- E-mails of the assignees, and the first of them as he was when he was assigned.
  assignee text[] not null default '{}',
  assigned_to jsonb,
  assigned_by text,
  assigned_time timestamptz,
  start_time timestamptz not null,
  end_time timestamptz not null,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  created_by text,
  updated_by text,
  created_from text not null,
  done_by text,
  done_time timestamptz,
  order_index double precision not null,
  ref_id text,
  parent_id text,
  routing_result_id text,
  -- Where the work is, from the component that says so. Degrees, WGS 84.
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  -- The values of the flow's components by component id, and the rarer base fields by their wire names.
  "values" jsonb not null default '{}',
  attributes jsonb not null default '{}',
  primary key (organization_id, id),
  foreign key (organization_id, hub_id) references hubs (organization_id, id),
  check ((status = 'UNASSIGNED') = (assignee = '{}') or status = 'DONE' or task_type <> 'task')
);

-- One index per order that must stay flat; the included columns let a count over a time range with
-- hub, status and flow stay an index-only scan.
create index tasks_created on tasks (organization_id, created_time, id) include (hub_id, status, flow_id);
create index tasks_start on tasks (organization_id, start_time, id) include (hub_id, status, flow_id);
create index tasks_done on tasks (organization_id, done_time, id) include (hub_id, status, flow_id);
create index tasks_updated on tasks (organization_id, updated_time, id);
create index tasks_end on tasks (organization_id, end_time, id);
create index tasks_order on tasks (organization_id, order_index, id);
create index tasks_hub on tasks (organization_id, hub_id, created_time, id);
create index tasks_status on tasks (organization_id, status, created_time, id);
create index tasks_flow on tasks (organization_id, flow_id, created_time, id);
create index tasks_assignee on tasks using gin (organization_id, assignee);
create index tasks_done_by on tasks (organization_id, done_by, done_time) where done_by is not null;
create index tasks_ref on tasks (organization_id, ref_id) where ref_id is not null;
create index tasks_parent on tasks (organization_id, parent_id) where parent_id is not null;
create index tasks_result on tasks (organization_id, routing_result_id) where routing_result_id is not null;
create index tasks_words on tasks
  using gin (organization_id, (coalesce(title, '') || ' ' || coalesce(content, '') || ' ' || coalesce(label, '')) gin_trgm_ops);

create table task_histories (
  organization_id text not null,
  task_id text not null,
  id text not null,
  action text not null,
  notes text not null,
  change_data jsonb,
  created_at timestamptz not null,
  primary key (organization_id, task_id, id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);

-- How many tasks there are per hub, flow and status: a list's exact total without counting rows. Every
-- statement on tasks adds what it changed as rows of its own, so that writers never wait for each other;
-- a job folds them together, and readers add up both tables in one statement.
create table task_counts (
  organization_id text not null references organizations (id) on delete cascade,
  hub_id text not null,
  flow_id text not null,
  flow text not null,
  status text not null,
  task_type text not null,
  count bigint not null,
  primary key (organization_id, hub_id, flow_id, flow, status, task_type)
);
create table task_count_changes (
  organization_id text not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  hub_id text not null,
  flow_id text not null,
  flow text not null,
  status text not null,
  task_type text not null,
  change bigint not null,
  primary key (organization_id, id)
);

create function count_inserted_tasks() returns trigger language plpgsql as $$
begin
  insert into task_count_changes (organization_id, hub_id, flow_id, flow, status, task_type, change)
  select organization_id, hub_id, flow_id, flow, status, task_type, count(*)
  from inserted group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create function count_deleted_tasks() returns trigger language plpgsql as $$
begin
  insert into task_count_changes (organization_id, hub_id, flow_id, flow, status, task_type, change)
  select organization_id, hub_id, flow_id, flow, status, task_type, -count(*)
  from deleted d where exists (select from organizations o where o.id = d.organization_id)
  group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create function count_updated_tasks() returns trigger language plpgsql as $$
begin
  insert into task_count_changes (organization_id, hub_id, flow_id, flow, status, task_type, change)
  select organization_id, hub_id, flow_id, flow, status, task_type, sum(change) from (
    select organization_id, hub_id, flow_id, flow, status, task_type, 1 as change from after_update
    union all
    select organization_id, hub_id, flow_id, flow, status, task_type, -1 from before_update
  ) changes
  group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0;
  return null;
end $$;

create trigger tasks_count_insert after insert on tasks
  referencing new table as inserted for each statement execute function count_inserted_tasks();
create trigger tasks_count_delete after delete on tasks
  referencing old table as deleted for each statement execute function count_deleted_tasks();
create trigger tasks_count_update after update on tasks
  referencing old table as before_update new table as after_update for each statement execute function count_updated_tasks();
