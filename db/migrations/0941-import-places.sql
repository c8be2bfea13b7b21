-- Coordinates that an import looked up from addresses and that somebody should check, or that were not found. They go with
-- the import. A new table.
create table import_places (
  organization_id text not null,
  import_id text not null,
  task_id text not null,
  component_id text not null,
  address text not null,
  coordinate text,
  confidence real not null,
  primary key (organization_id, import_id, task_id, component_id),
  foreign key (organization_id, import_id) references imports (organization_id, id) on delete cascade
);
