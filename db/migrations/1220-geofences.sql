-- Areas that people enter and leave, drawn or imported. A new, empty table; the constraint of visits is checked against their
-- rows, which holds writes to that table for the time of one read of it.
create table geofences (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- Null: an area of the whole organization.
  hub_id text,
  name text not null,
  group_name text,
  color text not null,
  -- A circle, corridor or polygon (packages/geodesy/area.ts).
  shape jsonb not null,
  -- Around the shape, in degrees; beyond 180 where it crosses the antimeridian.
  area box not null,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  updated_by text,
  primary key (organization_id, id),
  constraint geofences_name unique nulls not distinct (organization_id, hub_id, group_name, name),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
create index geofences_area on geofences using gist (area);
select audit_table('geofences', 'geofence', 'id', 'name', 'hub_id', '{}', '{area}');

alter table location_visits drop constraint location_visits_place_type_check;
alter table location_visits add constraint location_visits_place_type_check
  check (place_type in ('hub', 'task', 'geofence'));
-- Who is where now, by person: read with each of their new positions.
create index location_visits_person on location_visits (organization_id, user_id, arrived_at);
