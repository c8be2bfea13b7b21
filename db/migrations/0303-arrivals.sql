-- Who was where: arrivals at hubs and at places of tasks, and who is silent although he should be heard.
create table location_visits (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  user_id text not null,
  -- 'hub' or 'task', and the id of it.
  place_type text not null check (place_type in ('hub', 'task')),
  place_id text not null,
  arrived_at timestamptz not null,
  -- Null while the person is there.
  left_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, user_id, place_type, place_id, arrived_at),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index location_visits_place on location_visits (organization_id, place_type, place_id, arrived_at);
create index location_visits_time on location_visits (organization_id, arrived_at);

create table location_silences (
  organization_id text not null,
  user_id text not null,
  told_at timestamptz not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
