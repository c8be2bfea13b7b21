-- What a flow demanded when a task was made: finishing does not demand what became required later.
-- Adding a column without a default only changes the catalogue; the lock is short.

alter table tasks add column flow_version int;

create table task_requirements (
  organization_id text not null references organizations (id) on delete cascade,
  flow_id text not null,
  flow_version int not null,
  -- Ids of the components that the flow demanded in that version.
  component_ids text[] not null,
  primary key (organization_id, flow_id, flow_version)
);

-- Bulks that were accepted to be made in the background and have been made. Kept for a week, longer than a
-- job is tried.
create table task_receipts (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  created_time timestamptz not null default now(),
  primary key (organization_id, id)
);

-- Finished tasks with photos are a small part of all: the gallery walks this index alone.
alter table tasks add column has_photos boolean not null default false;
create index tasks_photos on tasks (organization_id, created_time, id) include (hub_id, status, flow_id) where has_photos;

-- Public links name a task by its id alone.
create index tasks_id on tasks (id);
