-- What an organization's own drives say about the speeds of roads. A new, empty table: no lock matters.
create table road_speeds (
  organization_id text not null references organizations (id) on delete cascade,
  is_used boolean not null default true,
  -- [[cell, seconds at the usual speeds, seconds driven, stretches]]: a cell is a class of road in an hour of the week.
  history jsonb not null default '[]',
  -- Positions up to here have been read.
  learned_until timestamptz,
  learned_at timestamptz,
  primary key (organization_id)
);
select audit_table('road_speeds', 'road-speeds', 'organization_id', '', '', '{}', '{history,learned_until,learned_at}');
