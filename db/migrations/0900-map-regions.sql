-- Maps of the installation: regions with their current version, and the builds that made them. They belong to no
-- organization. Two new tables.
create table map_regions (
  name text primary key check (name ~ '^[a-z0-9](-?[a-z0-9]){0,39}$'),
  -- Names the files in the object store; a new version replaces the old one with this row.
  version text not null,
  files jsonb not null,
  attribution text not null,
  west float8 not null,
  south float8 not null,
  east float8 not null,
  north float8 not null,
  -- The state of OpenStreetMap that the extract contains, if it says so.
  data_time timestamptz,
  source text not null,
  report jsonb not null,
  built_at timestamptz not null default now()
);

create table map_builds (
  id text primary key,
  region text not null,
  status text not null check (status in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  -- The name of the file or its address, as shown.
  source text not null,
  -- Where the file is stored until the build has ended.
  source_key text,
  -- Of a file in DATA_DIR/maps: a changed file is built again.
  fingerprint text,
  step text,
  progress real not null default 0,
  error text,
  requested_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index map_builds_created on map_builds (created_at);
create index map_builds_fingerprint on map_builds (fingerprint) where fingerprint is not null;
