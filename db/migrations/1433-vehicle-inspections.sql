-- Inspections before departure, and the defects that they found. New, empty tables.
create table vehicle_inspections (
  organization_id text not null references organizations (id) on delete cascade,
  vehicle_id text not null,
  flow_id text not null,
  -- Of the vehicle on that day.
  vehicle_hub_id text not null,
  day date not null,
  -- Null: it could not be created.
  task_id text,
  problem text,
  primary key (organization_id, vehicle_id, flow_id, day)
);
create index vehicle_inspections_task on vehicle_inspections (organization_id, task_id) where task_id is not null;

create table vehicle_defects (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  vehicle_id text not null,
  task_id text not null,
  audit_hub_id text,
  component_id text not null,
  name text not null,
  value text not null,
  found_by text not null,
  found_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  note text,
  primary key (organization_id, id),
  unique (organization_id, task_id, component_id)
);
create index vehicle_defects_open on vehicle_defects (organization_id, vehicle_id) where resolved_at is null;
select audit_table('vehicle_defects', 'vehicle-defect', 'id', 'name', 'audit_hub_id', '{}', '{}');
