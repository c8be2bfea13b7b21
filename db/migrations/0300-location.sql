-- Positions: points in monthly partitions, sessions (start to finish), the newest position of each person.
-- Runs before any of these tables exist: no locks to mind.

-- One row a fix, millions a day. Person and organization are their integer surrogates: with the text ids a
-- row would take more than twice the space. Columns stand by falling alignment, absent values cost a bit.
-- The key is the only B-tree: it finds a person's track, and refuses the second copy of a point
-- (fingerprint: a hash of source, latitude and longitude).
create table location_points (
  -- Device time, and time of receipt: unique per person to the millisecond, because the wire's id is made of it.
  recorded_at timestamptz not null,
  received_at timestamptz not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  -- Kilometres and minutes since the point before, as the device says.
  distance double precision,
  organization_number int not null,
  person_number int not null,
  fingerprint int not null,
  -- Who wrote it, as users.number; null: the person.
  created_by int,
  -- km/h, minutes, metres, metres, kilometres.
  speed real,
  duration real,
  accuracy real,
  altitude real,
  distance_to_destination real,
  -- Degrees, percent, and the codes of `point-codes.ts`.
  bearing smallint,
  battery smallint,
  source smallint,
  event smallint,
  task_id text,
  -- Rare things: notes, data, createdFrom, updatedBy, updatedTime, and the id of a point that was given to another person.
  extra jsonb,
  primary key (organization_number, person_number, recorded_at, fingerprint)
) partition by range (recorded_at);

-- Lookup by id goes by time of receipt; rows arrive in that order, so a block range index suffices.
create index location_points_received on location_points
  using brin (received_at) with (pages_per_range = 32, autosummarize = on);
-- Equal keys are stored once, so this costs some bytes for a point that has a task and nothing for others.
create index location_points_task on location_points (organization_number, task_id) where task_id is not null;
create index location_points_moved_id on location_points (organization_number, (extra ->> 'id')) where extra ? 'id';

-- Makes the partition of the month that holds `moment`, if it is missing. Attaching a finished table takes a
-- weaker lock than creating a partition in place: readers and writers go on.
create function ensure_location_partition(moment timestamptz) returns void language plpgsql as $$
declare
  first_day date := date_trunc('month', moment at time zone 'UTC')::date;
  partition text := 'location_points_' || to_char(first_day, 'YYYYMM');
begin
  if to_regclass(partition) is not null then return; end if;
  perform pg_advisory_xact_lock(7270117003);
  if to_regclass(partition) is not null then return; end if;
  execute format('create table %I (like location_points including all)', partition);
  execute format('alter table location_points attach partition %I for values from (%L) to (%L)', partition,
    first_day::timestamp at time zone 'UTC', (first_day + interval '1 month')::timestamp at time zone 'UTC');
end $$;

select ensure_location_partition(month)
from generate_series(now() - interval '13 months', now() + interval '3 months', interval '1 month') as month;

-- A working session: opened by a start, closed by a finish.
create table location_sessions (
  organization_number int not null,
  person_number int not null,
  -- The wire's id.
  id text not null,
  received_at timestamptz not null,
  recorded_at timestamptz not null,
  started_at timestamptz not null,
  lat double precision not null,
  lng double precision not null,
  speed real,
  distance double precision,
  duration real,
  task_id text,
  event smallint,
  notes text,
  created_from text,
  data jsonb,
  finished_at timestamptz,
  finish_lat double precision,
  finish_lng double precision,
  finish_notes text,
  total_distance double precision,
  total_duration double precision,
  tracked_minutes int,
  is_recalculated boolean not null default false,
  created_by text,
  updated_by text,
  updated_at timestamptz not null,
  primary key (organization_number, id),
  check (finished_at >= started_at)
);
-- At most one open session a person.
create unique index location_sessions_open on location_sessions (organization_number, person_number) where finished_at is null;
create index location_sessions_person on location_sessions (organization_number, person_number, recorded_at);
create index location_sessions_time on location_sessions (organization_number, recorded_at);

-- The newest position of each person who ever sent one; also what remembers the e-mail of people who left.
-- Updated with every point, so nothing that changes is indexed and pages keep room for the next version.
create table person_positions (
  organization_number int not null,
  person_number int not null,
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null,
  email text not null,
  -- Epoch milliseconds of the last receipt given to a point of this person, and how many the last batch took.
  last_time bigint not null,
  batch_size int not null,
  recorded_at timestamptz not null,
  received_at timestamptz not null,
  lat double precision not null,
  lng double precision not null,
  fingerprint int,
  -- Set when the newest record is the start of a session.
  session_id text,
  speed real,
  accuracy real,
  altitude real,
  bearing smallint,
  battery smallint,
  charging boolean,
  source smallint,
  task_id text,
  -- The position before, for telling moving from still.
  previous_recorded_at timestamptz,
  previous_lat double precision,
  previous_lng double precision,
  previous_accuracy real,
  -- Transaction that moved it: the live stream reads from a horizon of these.
  xid xid8 not null default pg_current_xact_id(),
  -- Oldest point that arrived since arrivals, sessions and silence were last looked at.
  pending_from timestamptz,
  primary key (organization_number, person_number)
) with (fillfactor = 50);
create index person_positions_email on person_positions (organization_number, email);

-- How many points an organization has of each month (UTC): every insert and delete adds what it changed, a job
-- folds it, and a dropped partition takes its month along.
create table location_counts (
  organization_number int not null,
  month date not null,
  count bigint not null,
  primary key (organization_number, month)
);
create table location_count_changes (
  organization_number int not null,
  month date not null,
  change bigint not null
);
create index location_count_changes_organization on location_count_changes (organization_number);

-- Settings of an organization; without a row the defaults.
create table location_settings (
  organization_id text primary key references organizations (id) on delete cascade,
  -- Days that points are readable; at most what the installation keeps.
  retention_days int not null default 365 check (retention_days between 1 and 365)
);
