-- Odometer and engine hours of vehicles, and maintenance. New tables; the drivers of today are read once.

-- Who drives a vehicle, and since when: the track of this person moves its meters.
create table vehicle_drivers (
  organization_id text not null references organizations (id) on delete cascade,
  vehicle_id text not null,
  started_at timestamptz not null,
  -- Null: still so.
  ended_at timestamptz,
  email text not null,
  primary key (organization_id, vehicle_id, started_at)
);
create index vehicle_drivers_email on vehicle_drivers (organization_id, email, started_at);
create unique index vehicle_drivers_open on vehicle_drivers (organization_id, vehicle_id) where ended_at is null;

insert into vehicle_drivers (organization_id, vehicle_id, started_at, email)
select organization_id, id, updated_time, assignee from vehicles where coalesce(assignee, '') <> '';

-- What a vehicle has travelled by hour. Hours are counted again when positions arrive late.
create table vehicle_hours (
  organization_id text not null references organizations (id) on delete cascade,
  vehicle_id text not null,
  hour timestamptz not null,
  meters double precision not null,
  engine_seconds double precision not null,
  -- Measured by the device in the vehicle instead of by positions.
  by_device boolean not null,
  primary key (organization_id, vehicle_id, hour)
);

-- The hours are summed up as they change. A meter shows `base + counted` and never less than it has shown, unless a person
-- corrects it.
create table vehicle_meters (
  organization_id text not null references organizations (id) on delete cascade,
  vehicle_id text not null,
  odometer_meters double precision not null default 0,
  engine_seconds double precision not null default 0,
  base_meters double precision not null default 0,
  base_seconds double precision not null default 0,
  counted_meters double precision not null default 0,
  counted_seconds double precision not null default 0,
  counted_at timestamptz,
  primary key (organization_id, vehicle_id)
);

create table vehicle_readings (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  vehicle_id text not null,
  -- Of the vehicle at that time: who may see the entry in the audit log.
  audit_hub_id text,
  -- Null where the reading has none of it.
  odometer_before double precision,
  odometer_after double precision,
  seconds_before double precision,
  seconds_after double precision,
  note text,
  created_by text not null,
  created_time timestamptz not null,
  primary key (organization_id, id)
);
create index vehicle_readings_vehicle on vehicle_readings (organization_id, vehicle_id, created_time desc, id);
select audit_table('vehicle_readings', 'vehicle-reading', 'id', 'note', 'audit_hub_id', '{}', '{}');

-- What is due by distance, engine hours or days, whichever comes first.
create table maintenance_plans (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  vehicle_id text,
  equipment_id text,
  audit_hub_id text,
  name text not null,
  every_meters double precision,
  every_seconds double precision,
  every_days integer,
  remind_meters double precision not null default 0,
  remind_seconds double precision not null default 0,
  remind_days integer not null default 0,
  done_on date not null,
  done_meters double precision not null default 0,
  done_seconds double precision not null default 0,
  -- A task of this flow is created once when it becomes due.
  flow_id text,
  task_id text,
  task_problem text,
  is_active boolean not null default true,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  updated_by text,
  primary key (organization_id, id),
  check (num_nonnulls(vehicle_id, equipment_id) = 1),
  check (num_nonnulls(every_meters, every_seconds, every_days) > 0)
);
create index maintenance_plans_vehicle on maintenance_plans (organization_id, vehicle_id);
create index maintenance_plans_equipment on maintenance_plans (organization_id, equipment_id) where equipment_id is not null;
create index maintenance_plans_task on maintenance_plans (organization_id, task_id) where task_id is not null;
select audit_table('maintenance_plans', 'maintenance-plan', 'id', 'name', 'audit_hub_id', '{}', '{task_id,task_problem,done_on,done_meters,done_seconds}');

create table maintenance_entries (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  vehicle_id text,
  equipment_id text,
  audit_hub_id text,
  plan_id text,
  -- Set if a finished task is the work.
  task_id text,
  name text not null,
  note text,
  done_on date not null,
  odometer_meters double precision,
  engine_seconds double precision,
  cost numeric(14, 2),
  created_by text not null,
  created_time timestamptz not null,
  primary key (organization_id, id),
  check (num_nonnulls(vehicle_id, equipment_id) = 1)
);
create index maintenance_entries_vehicle on maintenance_entries (organization_id, vehicle_id, done_on desc, id);
create index maintenance_entries_equipment on maintenance_entries (organization_id, equipment_id, done_on desc, id)
  where equipment_id is not null;
create unique index maintenance_entries_task on maintenance_entries (organization_id, plan_id, task_id) where task_id is not null;
select audit_table('maintenance_entries', 'maintenance-entry', 'id', 'name', 'audit_hub_id', '{}', '{}');
