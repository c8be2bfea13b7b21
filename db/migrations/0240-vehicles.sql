-- Vehicles, and the names and units of what they carry. New tables: no locks to mind.

create table vehicles (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  hub_id text not null,
  name text not null,
  assignee text,
  -- km/h
  speed double precision not null default 25 check (speed >= 5),
  fixed_cost int not null default 0 check (fixed_cost between 0 and 100),
  tags text[] not null default '{}' check (cardinality(tags) <= 10),
  odd_even text check (odd_even in ('odd', 'even')),
  -- Null: not set. Planning then adopts the hours of other vehicles; reads show the default.
  working_time jsonb,
  break_time jsonb,
  capacity jsonb not null default '{}',
  created_by text,
  updated_by text,
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, hub_id) references hubs (organization_id, id) on delete cascade
);
create index vehicles_created on vehicles (organization_id, created_time desc, id desc);
create index vehicles_hub on vehicles (organization_id, hub_id, created_time desc, id desc);
create index vehicles_assignee on vehicles (organization_id, assignee) where assignee is not null;

create table capacity_constraints (
  organization_id text primary key references organizations (id) on delete cascade,
  id text not null unique,
  name text,
  -- [{name, denominator}]
  capacity_constraint jsonb not null default '[]',
  created_time timestamptz not null default now(),
  updated_time timestamptz not null default now()
);
