-- Workflows: which flows follow each other. Building the index locks writes to tasks for a moment.

create table workflows (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null check (char_length(name) between 2 and 100),
  steps jsonb not null,
  custom_statuses jsonb not null default '[]',
  created_by text,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index workflows_name on workflows (organization_id, name);
create index workflows_created on workflows (organization_id, created_time desc, id desc);

create index tasks_activities on tasks (organization_id, updated_time, id) where task_type = 'activityMaster';
