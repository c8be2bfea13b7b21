-- What happened, counted by hour, for reports: a year of five million tasks cannot be counted again for every chart. Statements
-- on tasks, sessions and ratings note which quarters of an hour they changed, in their own transaction; a job counts the hours
-- around these again from the tasks themselves. Creating triggers locks these tables for a moment; nothing is read or rewritten.

-- Numbers of one hour, day or month of the organization's time zone. `hour`, `day` and `month` are by person, `hourHub` and
-- `dayHub` are their sums over people.
create table rollups (
  organization_id text not null references organizations (id) on delete cascade,
  grain text not null check (grain in ('hour', 'hourHub', 'day', 'dayHub', 'month')),
  facet text not null check (facet in ('created', 'planned', 'finished', 'attended')),
  -- When the hour, day or month begins.
  at timestamptz not null,
  hub_id text not null,
  flow_id text not null,
  -- Who created, has or finished the tasks, or worked: an e-mail, empty for nobody.
  person text not null,
  outcome text not null,
  is_late boolean not null,
  reason text not null,
  late_reason text not null,
  -- Tasks, or sessions of the facet `attended`.
  tasks bigint not null,
  stops bigint not null,
  first_attempts bigint not null,
  timed bigint not null,
  service_seconds double precision not null,
  waiting_seconds double precision not null,
  late_seconds double precision not null,
  ratings bigint not null,
  stars bigint not null,
  meters double precision not null,
  seconds double precision not null,
  primary key (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason)
);

-- Quarters of an hour whose numbers are to be counted again. Appended, never updated: concurrent changes do not wait.
create table rollup_changes (
  organization_id text not null references organizations (id) on delete cascade,
  id bigint generated always as identity,
  facet text not null,
  at timestamptz not null,
  primary key (organization_id, id)
);

-- Months with rows. Their `month` rows are summed up when the month is over, and again after a late change.
create table rollup_months (
  organization_id text not null references organizations (id) on delete cascade,
  facet text not null,
  at timestamptz not null,
  is_current boolean not null,
  primary key (organization_id, facet, at)
);

-- From when on everything was counted once; '-infinity' when nothing older is left. Null before the first count.
create table rollup_states (
  organization_id text not null references organizations (id) on delete cascade,
  covered_since timestamptz,
  primary key (organization_id)
);
insert into rollup_states (organization_id, covered_since)
select o.id, case when exists (select from tasks t where t.organization_id = o.id)
    or exists (select from location_sessions s where s.organization_number = o.number) then null else '-infinity'::timestamptz end
from organizations o;

create function begin_rollups() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into rollup_states (organization_id, covered_since) values (new.id, '-infinity');
  elsif new.time_zone <> old.time_zone then
    -- Hours and days begin at other times: everything is counted again.
    update rollup_states set covered_since = null where organization_id = new.id;
  end if;
  return null;
end $$;
create trigger organizations_rollups after insert or update of time_zone on organizations
  for each row execute function begin_rollups();

create function note_inserted_tasks() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct t.organization_id, f.facet, date_bin('15 minutes', f.at, 'epoch')
  from inserted t, lateral (values ('created', t.created_time), ('planned', t.start_time),
    ('finished', case when t.status = 'DONE' then t.done_time end)) f (facet, at)
  where f.at is not null and t.task_type <> 'activityMaster';
  return null;
end $$;

create function note_deleted_tasks() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct t.organization_id, f.facet, date_bin('15 minutes', f.at, 'epoch')
  from deleted t, lateral (values ('created', t.created_time), ('planned', t.start_time),
    ('finished', case when t.status = 'DONE' then t.done_time end)) f (facet, at)
  where f.at is not null and t.task_type <> 'activityMaster'
    and exists (select from organizations o where o.id = t.organization_id);
  return null;
end $$;

create function note_updated_tasks() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct changed.organization_id, changed.facet, date_bin('15 minutes', changed.at, 'epoch')
  from (
    select b.organization_id, f.facet, unnest(f.at) as at
    from before_update b join after_update a on a.organization_id = b.organization_id and a.id = b.id,
    lateral (values
      ('created', array[b.created_time, a.created_time],
        (b.hub_id, b.flow_id, b.created_by, b.created_time, b.task_type) is distinct from
        (a.hub_id, a.flow_id, a.created_by, a.created_time, a.task_type)),
      ('planned', array[b.start_time, a.start_time],
        (b.hub_id, b.flow_id, b.assignee, b.start_time, b.task_type, b.attributes -> 'distance') is distinct from
        (a.hub_id, a.flow_id, a.assignee, a.start_time, a.task_type, a.attributes -> 'distance')),
      ('finished', array[case when b.status = 'DONE' then b.done_time end, case when a.status = 'DONE' then a.done_time end],
        (b.status = 'DONE' or a.status = 'DONE') and
        (b.hub_id, b.flow_id, b.done_by, b.done_time, b.status, b.lat, b.lng, b.start_time, b.end_time, b.task_type, b.attributes)
          is distinct from
        (a.hub_id, a.flow_id, a.done_by, a.done_time, a.status, a.lat, a.lng, a.start_time, a.end_time, a.task_type, a.attributes))
    ) f (facet, at, is_changed)
    where f.is_changed
  ) changed where changed.at is not null;
  return null;
end $$;

create trigger tasks_rollups_insert after insert on tasks
  referencing new table as inserted for each statement execute function note_inserted_tasks();
create trigger tasks_rollups_delete after delete on tasks
  referencing old table as deleted for each statement execute function note_deleted_tasks();
create trigger tasks_rollups_update after update on tasks
  referencing old table as before_update new table as after_update for each statement execute function note_updated_tasks();

-- A rating counts in the hour in which its task was finished.
create function note_rated_tasks() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct t.organization_id, 'finished', date_bin('15 minutes', t.done_time, 'epoch')
  from changed c join tasks t on t.organization_id = c.organization_id and t.id = c.task_id
  where c.kind = 'rating' and t.status = 'DONE' and t.done_time is not null
    and exists (select from organizations o where o.id = c.organization_id);
  return null;
end $$;
create trigger customer_feedback_rollups_insert after insert on customer_feedback
  referencing new table as changed for each statement execute function note_rated_tasks();
create trigger customer_feedback_rollups_delete after delete on customer_feedback
  referencing old table as changed for each statement execute function note_rated_tasks();

create function note_sessions() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct o.id, 'attended', date_bin('15 minutes', c.started_at, 'epoch')
  from changed c join organizations o on o.number = c.organization_number;
  return null;
end $$;
create trigger location_sessions_rollups_insert after insert on location_sessions
  referencing new table as changed for each statement execute function note_sessions();
create trigger location_sessions_rollups_update after update on location_sessions
  referencing new table as changed for each statement execute function note_sessions();
create trigger location_sessions_rollups_before after update on location_sessions
  referencing old table as changed for each statement execute function note_sessions();
create trigger location_sessions_rollups_delete after delete on location_sessions
  referencing old table as changed for each statement execute function note_sessions();

-- Sessions know their person by number.
create function note_renamed_people() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct o.id, 'attended', date_bin('15 minutes', s.started_at, 'epoch')
  from location_sessions s join organizations o on o.number = s.organization_number
  where o.id = old.organization_id and s.person_number = old.number;
  return null;
end $$;
create trigger users_rollups_renamed after update of email on users
  for each row when (old.email is distinct from new.email) execute function note_renamed_people();
create trigger users_rollups_deleted after delete on users
  for each row execute function note_renamed_people();

-- The stars of a task, null without a rating: lists of tasks filter by it.
create function task_stars(organization text, task text) returns smallint stable parallel safe language sql as $$
  select stars from customer_feedback where organization_id = organization and task_id = task and kind = 'rating'
$$;

-- Sessions as reports count them: when they began, whose they are, how long and far they went. Open ones count nothing yet.
create view attended_sessions as
select o.id as organization_id, s.started_at as at, coalesce(u.email, '') as person,
  coalesce(extract(epoch from s.finished_at - s.started_at), 0)::float8 as seconds,
  coalesce(s.total_distance * 1000, 0)::float8 as meters
from organizations o join location_sessions s on s.organization_number = o.number
left join users u on u.organization_id = o.id and u.number = s.person_number;

-- Every time by which reports count something of an organization: finding the next older one reads one entry of an index each.
create view work_times as
select organization_id, created_time as at from tasks
union all select organization_id, start_time from tasks
union all select organization_id, done_time from tasks where done_time is not null
union all select organization_id, at from attended_sessions;
