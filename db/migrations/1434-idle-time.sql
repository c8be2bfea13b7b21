-- How the time of sessions was used: travelling, at stops, idle, or off duty; with which vehicle, and how full it was. Columns
-- without a rewrite; building the three indexes reads location_sessions once, the new key of rollups reads rollups once: reports
-- wait for about a second per million rows.

alter table location_sessions
  -- Whether the columns below describe the finished session; a job fills them in, for sessions of before as well.
  add column is_counted boolean not null default false,
  -- When they moved; null without positions.
  add column moving tstzmultirange,
  -- Breaks, and what is outside of the working time of the vehicle.
  add column off_duty tstzmultirange not null default '{}',
  -- What they drove: text, because vehicles leave and sessions stay.
  add column vehicle_id text,
  -- The day of the hub on which the vehicle's working time was this long, without its break.
  add column shift_on date,
  add column shift_seconds double precision,
  -- Of the capacity that was used most: 1 is full. Null without loads or capacities.
  add column load_used double precision;
create index location_sessions_uncounted on location_sessions (organization_number, finished_at)
  where finished_at is not null and not is_counted;
create index location_sessions_vehicle on location_sessions (organization_number, vehicle_id, shift_on, started_at, id)
  where vehicle_id is not null;
create index location_sessions_finished on location_sessions (organization_number, person_number, finished_at)
  where finished_at is not null;

-- Other times, and another person, are another use.
create function uncount_session() returns trigger language plpgsql as $$
begin
  new.is_counted := false;
  return new;
end $$;
create trigger location_sessions_uncounted before update of started_at, finished_at, person_number on location_sessions
  for each row when ((old.started_at, old.finished_at, old.person_number) is distinct from
    (new.started_at, new.finished_at, new.person_number)) execute function uncount_session();

alter table rollups
  add column vehicle_id text not null default '',
  add column travel_seconds double precision not null default 0,
  add column idle_seconds double precision not null default 0,
  -- Travelling and at stops with a vehicle, and the working time of vehicles on the days on which they were driven.
  add column used_seconds double precision not null default 0,
  add column shift_seconds double precision not null default 0,
  add column loads bigint not null default 0,
  add column load_used double precision not null default 0,
  drop constraint rollups_pkey,
  add primary key (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, vehicle_id);

create function seconds_in(spans tstzmultirange) returns double precision immutable parallel safe language sql as $$
  select coalesce(sum(extract(epoch from upper(span) - lower(span))), 0)::float8 from unnest(spans) span
$$;

-- Seconds of a session: travelling, idle, at stops. With the time off duty they are the whole session. Somebody is at a stop from
-- the arrival to the departure of each task that they finished, or, where no arrival is known, while they stood where they finished
-- it; then they are idle while they do not move. Without positions nobody is idle.
create function session_times(
  organization text, person text, started timestamptz, finished timestamptz, moving tstzmultirange, off_duty tstzmultirange
) returns double precision[] stable parallel safe language sql as $$
  with session as (
    select tstzmultirange(tstzrange(started, finished)) - off_duty as duty,
      coalesce(moving, tstzmultirange(tstzrange(started, finished))) as travel
  ), finishes as (
    select done_time, (attributes ->> 'arrivedTime')::timestamptz as arrived,
      coalesce((attributes ->> 'leftTime')::timestamptz, done_time) as departed
    from tasks
    where organization_id = organization and done_by = person and done_time >= started and done_time <= finished
      and status = 'DONE' and task_type <> 'activityMaster'
  ), stops as (
    select coalesce(range_agg(stop), '{}') as stops from (
      select tstzrange(arrived, departed) as stop from finishes where arrived <= departed
      union all
      select still from session, unnest(tstzmultirange(tstzrange(started, finished)) - travel) still
      where exists (select from finishes where (arrived <= departed) is not true and done_time <@ still)
    ) found
  )
  select array[seconds_in(duty * travel - stops), seconds_in(duty - travel - stops), seconds_in(duty * stops)]
  from session, stops
$$;

create or replace view attended_sessions as
select o.id as organization_id, s.started_at as at, coalesce(u.email, '') as person,
  coalesce(extract(epoch from s.finished_at - s.started_at), 0)::float8 as seconds,
  coalesce(s.total_distance * 1000, 0)::float8 as meters,
  coalesce(s.vehicle_id, '') as vehicle_id,
  case when s.finished_at is null then array[0, 0, 0]::float8[]
    else session_times(o.id, coalesce(u.email, ''), s.started_at, s.finished_at, s.moving, s.off_duty) end as times,
  -- Of several sessions with a vehicle on a day the first one counts its working time.
  case when not exists (
    select from location_sessions e
    where e.organization_number = s.organization_number and e.vehicle_id = s.vehicle_id and e.shift_on = s.shift_on
      and (e.started_at, e.id) < (s.started_at, s.id)
  ) then s.shift_seconds end as shift_seconds,
  s.load_used
from organizations o join location_sessions s on s.organization_number = o.number
left join users u on u.organization_id = o.id and u.number = s.person_number;

-- A change of one session of a vehicle may make another one the first of its day.
create or replace function note_sessions() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct o.id, 'attended', date_bin('15 minutes', n.at, 'epoch')
  from (
    select organization_number, started_at as at from changed
    union all
    select s.organization_number, s.started_at from changed c join location_sessions s
      on s.organization_number = c.organization_number and s.vehicle_id = c.vehicle_id and s.shift_on = c.shift_on
  ) n join organizations o on o.number = n.organization_number;
  return null;
end $$;

-- The sessions in which tasks were finished: what is a stop, and what is idle time, depends on them.
create function note_stops_of(stops jsonb) returns void language sql as $$
  insert into rollup_changes (organization_id, facet, at)
  select distinct o.id, 'attended', date_bin('15 minutes', s.started_at, 'epoch')
  from jsonb_to_recordset(stops) as stop (organization_id text, person text, done_time timestamptz)
  join organizations o on o.id = stop.organization_id
  join users u on u.organization_id = o.id and u.email = stop.person
  join lateral (
    select started_at from location_sessions f
    where f.organization_number = o.number and f.person_number = u.number and f.finished_at >= stop.done_time
    union all
    -- One that another transaction may be finishing.
    select started_at from location_sessions f
    where f.organization_number = o.number and f.person_number = u.number and f.finished_at is null
  ) s on s.started_at <= stop.done_time
$$;

create or replace function note_inserted_tasks() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct t.organization_id, f.facet, date_bin('15 minutes', f.at, 'epoch')
  from inserted t, lateral (values ('created', t.created_time), ('planned', t.start_time),
    ('finished', case when t.status = 'DONE' then t.done_time end)) f (facet, at)
  where f.at is not null and t.task_type <> 'activityMaster';
  if exists (select from inserted where status = 'DONE') then
    perform note_stops_of((select jsonb_agg(distinct jsonb_build_object('organization_id', organization_id, 'person', done_by,
      'done_time', done_time)) from inserted where status = 'DONE'));
  end if;
  return null;
end $$;

create or replace function note_deleted_tasks() returns trigger language plpgsql as $$
begin
  insert into rollup_changes (organization_id, facet, at)
  select distinct t.organization_id, f.facet, date_bin('15 minutes', f.at, 'epoch')
  from deleted t, lateral (values ('created', t.created_time), ('planned', t.start_time),
    ('finished', case when t.status = 'DONE' then t.done_time end)) f (facet, at)
  where f.at is not null and t.task_type <> 'activityMaster'
    and exists (select from organizations o where o.id = t.organization_id);
  if exists (select from deleted where status = 'DONE') then
    perform note_stops_of((select jsonb_agg(distinct jsonb_build_object('organization_id', organization_id, 'person', done_by,
      'done_time', done_time)) from deleted where status = 'DONE'));
  end if;
  return null;
end $$;

create or replace function note_updated_tasks() returns trigger language plpgsql as $$
declare
  stops jsonb;
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
  if exists (select from before_update where status = 'DONE') or exists (select from after_update where status = 'DONE') then
    select jsonb_agg(distinct jsonb_build_object('organization_id', a.organization_id, 'person', f.person, 'done_time', f.done_time))
    into stops
    from before_update b join after_update a on a.organization_id = b.organization_id and a.id = b.id,
      lateral (values (b.status, b.done_by, b.done_time), (a.status, a.done_by, a.done_time)) f (status, person, done_time)
    where f.status = 'DONE'
      and (b.status, b.done_by, b.done_time, b.task_type, b.attributes -> 'arrivedTime', b.attributes -> 'leftTime')
        is distinct from (a.status, a.done_by, a.done_time, a.task_type, a.attributes -> 'arrivedTime', a.attributes -> 'leftTime');
    if stops is not null then
      perform note_stops_of(stops);
    end if;
  end if;
  return null;
end $$;

create or replace view analyst_sessions as
select organization_id, person, at as started_time, seconds, meters, vehicle_id, times[1] as travel_seconds,
  times[2] as idle_seconds, times[3] as stop_seconds
from attended_sessions;
create or replace view analytics.sessions with (security_barrier) as
select * from public.analyst_sessions where organization_id = (select analytics.organization_id());

create or replace view analyst_hours as
select organization_id, facet, at as hour, hub_id, flow_id, person, outcome, is_late, reason, late_reason, tasks, stops,
  first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds, vehicle_id,
  travel_seconds, idle_seconds, used_seconds, shift_seconds, loads, load_used
from rollups where grain = 'hour';
create or replace view analytics.hours with (security_barrier) as
select * from public.analyst_hours where organization_id = (select analytics.organization_id());
