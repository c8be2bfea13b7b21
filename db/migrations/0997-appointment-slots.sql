-- Appointment windows that were offered: held for some minutes, then booked or free again. A new table only.
create table appointment_slots (
  organization_id text not null,
  id text not null,
  -- Windows of one offer: booking one frees the others.
  offer_id text not null,
  hub_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text not null check (status in ('held', 'booked')),
  -- Until then nobody else is offered the capacity.
  held_until timestamptz not null,
  lat double precision not null,
  lng double precision not null,
  service_minutes integer not null,
  tags text[] not null,
  -- What the visit adds to the routes of its day.
  extra_seconds integer not null,
  extra_meters integer not null,
  -- Of a booked one; its task may be deleted later.
  task_id text,
  primary key (organization_id, id),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
create index appointment_slots_held on appointment_slots (organization_id, hub_id, starts_at) where status = 'held';
create index appointment_slots_task on appointment_slots (organization_id, task_id) where task_id is not null;
create index appointment_slots_age on appointment_slots (held_until);
