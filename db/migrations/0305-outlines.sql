-- Hours of a person's points, thinned to what any map can show of them, so that a month of one-second points is read as 720
-- rows instead of 2.6 million. Made from the points by a job, where an hour has so many that it is worth it. Adds a column
-- without a default, which changes the catalogue alone.
create table location_outlines (
  organization_number int not null,
  person_number int not null,
  -- Its begin; hours of UTC.
  hour timestamptz not null,
  -- As stretch-code.ts writes it.
  outline bytea not null,
  primary key (organization_number, person_number, hour),
  foreign key (organization_number, person_number) references person_positions (organization_number, person_number)
    on delete cascade
);

-- Outlines of hours before this are as the points are; hours without one are read point by point. Null: none is.
alter table person_positions add column outlined_until timestamptz;
