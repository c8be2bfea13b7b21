-- Equipment at customers, and the tasks at it. New, empty tables.
create table equipment (
  organization_id text not null,
  id text not null,
  hub_id text not null,
  -- On its label, as it is scanned: unique in the organization, whatever its case.
  code text not null,
  name text not null,
  kind text,
  customer text,
  address text,
  lat double precision,
  lng double precision,
  note text,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  updated_by text,
  primary key (organization_id, id),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade,
  check ((lat is null) = (lng is null))
);
create unique index equipment_code on equipment (organization_id, lower(code));
create index equipment_hub on equipment (organization_id, hub_id);
select audit_table('equipment', 'equipment', 'id', 'name', 'hub_id', '{}', '{}');

-- What finished tasks refer to: equipment by its code, and plans by what created the task.
create table equipment_tasks (
  organization_id text not null,
  equipment_id text not null,
  task_id text not null,
  title text,
  flow text not null,
  done_by text,
  done_at timestamptz not null,
  primary key (organization_id, equipment_id, task_id),
  foreign key (organization_id, equipment_id) references equipment (organization_id, id) on delete cascade
);
create index equipment_tasks_time on equipment_tasks (organization_id, equipment_id, done_at desc);
