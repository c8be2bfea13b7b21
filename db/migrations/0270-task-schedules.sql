-- Task schedules and the log of their runs. New tables only: nothing waits for a lock.

create table task_schedules (
  organization_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- A hub or a flow may be deleted while its schedules stay; their next run fails and says why. Hence no
  -- foreign keys.
  hub_id text not null,
  flow_id text not null,
  -- The flow's name when the schedule was saved.
  flow text not null,
  name text not null,
  -- periode, frequency, interval, startTime, endTime, schedules and timeZone, as shared/recurrence reads them.
  recurrence jsonb not null,
  -- Dates `Y-m-d` on the wall clock of the schedule's time zone.
  skipped_dates text[] not null default '{}',
  -- Values of the task to be made, by component id.
  task jsonb not null,
  assignee text[] not null default '{}',
  created_by text,
  updated_by text,
  created_time timestamptz not null,
  updated_time timestamptz not null,
  -- Counts changes by people: runs move updated_time, but are no reason to refuse an edit as stale.
  version int not null default 1,
  paused_time timestamptz,
  -- Every run up to here was made, logged as skipped, or never owed.
  handled_until timestamptz not null,
  -- Null when nothing is left to run, or while the schedule is paused.
  next_run_at timestamptz,
  last_status text check (last_status in ('SUCCESS', 'FAILED')),
  last_task_id text,
  last_message text[],
  last_executed_time timestamptz,
  execution_count int not null default 0,
  failed_count int not null default 0,
  primary key (organization_id, id),
  check (paused_time is null or next_run_at is null)
);
create index task_schedules_due on task_schedules (next_run_at, organization_id, id) where next_run_at is not null;
create index task_schedules_created on task_schedules (organization_id, created_time, id);

create table task_schedule_runs (
  organization_id text not null,
  schedule_id text not null,
  executed_time timestamptz not null,
  id text not null,
  -- The instant that the schedule names; null for a run by hand.
  occurrence timestamptz,
  status text not null check (status in ('SUCCESS', 'FAILED', 'SKIPPED')),
  task_id text,
  failed_code text,
  message text[] not null,
  -- Led by time, as the log is read.
  primary key (organization_id, schedule_id, executed_time, id),
  foreign key (organization_id, schedule_id) references task_schedules (organization_id, id) on delete cascade
);
-- What makes each occurrence happen once, whatever the workers do.
create unique index task_schedule_runs_once on task_schedule_runs (organization_id, schedule_id, occurrence);
create index task_schedule_runs_age on task_schedule_runs using brin (executed_time);
