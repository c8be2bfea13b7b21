-- When each open stop is reached: the newest estimate, earlier ones to compare with the actual arrival, what was learned of
-- an organization, and whose estimates have to be computed again. New tables only.
create table task_estimates (
  organization_id text not null,
  task_id text not null,
  -- The person whose route it is a stop of.
  email text not null,
  arrival timestamptz not null,
  -- The arrival is between these in nine of ten cases.
  earliest timestamptz not null,
  latest timestamptz not null,
  stops_before integer not null,
  -- 'road': times of a map or a road service; 'straight': great-circle distance at the usual speed.
  basis text not null check (basis in ('road', 'straight')),
  -- The worker has to be there by then.
  deadline timestamptz not null,
  -- The arrival of the last onEtaChanged, or of the first estimate.
  published_arrival timestamptz not null,
  -- Since when the arrival is expected after the deadline.
  late_since timestamptz,
  computed_at timestamptz not null,
  primary key (organization_id, task_id),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);
create index task_estimates_task on task_estimates (task_id);
create index task_estimates_person on task_estimates (organization_id, email);

-- One estimate for each horizon that a task passed: what was promised an hour before, ten minutes before and so on.
create table task_estimate_history (
  organization_id text not null,
  task_id text not null,
  -- Minutes before the estimated arrival, rounded up to one of a few steps.
  horizon_minutes integer not null,
  computed_at timestamptz not null,
  arrival timestamptz not null,
  earliest timestamptz not null,
  latest timestamptz not null,
  -- The model's arrival and its standard deviation before calibration.
  model_arrival timestamptz not null,
  deviation_seconds real not null,
  stops_before integer not null,
  -- An earlier arrival counts as one at this time.
  opens timestamptz,
  -- Null until the worker has arrived.
  arrived_at timestamptz,
  primary key (organization_id, task_id, horizon_minutes),
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);
create index task_estimate_history_age on task_estimate_history (computed_at);

create table task_estimate_models (
  organization_id text primary key references organizations (id) on delete cascade,
  model jsonb not null,
  learned_at timestamptz not null
);

-- When the estimates of a person were computed last, and of how many stops.
create table task_estimate_people (
  organization_id text not null references organizations (id) on delete cascade,
  email text not null,
  stops integer not null,
  computed_at timestamptz not null,
  primary key (organization_id, email)
);

-- Tasks changed: the people whom it concerns are computed again within seconds, and the row goes.
create table task_estimate_requests (
  number bigint primary key generated always as identity,
  organization_id text not null references organizations (id) on delete cascade,
  task_ids text[] not null,
  emails text[] not null
);
