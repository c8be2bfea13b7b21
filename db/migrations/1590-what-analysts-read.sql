-- Analysts could not read `analytics.sessions`: its times were computed by a function that reads tasks with their rights. And the
-- times of arrival and departure were texts, while the guide promises timestamps. New views and a function: no lock matters.

-- With the rights of its owner, for one's own organization: a role of analysts, whose organization may have been deleted, finds no
-- stops of others.
create or replace function session_times(
  organization text, person text, started timestamptz, finished timestamptz, moving tstzmultirange, off_duty tstzmultirange
) returns double precision[] stable parallel safe language sql security definer set search_path = public, pg_temp as $$
  with session as (
    select tstzmultirange(tstzrange(started, finished)) - off_duty as duty,
      coalesce(moving, tstzmultirange(tstzrange(started, finished))) as travel
  ), finishes as (
    select done_time, (attributes ->> 'arrivedTime')::timestamptz as arrived,
      coalesce((attributes ->> 'leftTime')::timestamptz, done_time) as departed
    from tasks
    where organization_id = organization and done_by = person and done_time >= started and done_time <= finished
      and status = 'DONE' and task_type <> 'activityMaster'
      and (session_user !~ '^fieldway_analyst_' or organization = analytics.organization_id())
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
revoke execute on function session_times(text, text, timestamptz, timestamptz, tstzmultirange, tstzmultirange) from public;

drop view analytics.tasks;
drop view analyst_tasks;
create view analyst_tasks as
select organization_id, id, ref_id, task_type, title, hub_id, flow_id, flow as flow_name, status,
  case when status = 'DONE' then coalesce(attributes ->> 'outcome', 'done') end as outcome,
  attributes ->> 'outcomeReason' as outcome_reason, coalesce(attributes ->> 'isLate' = 'true', false) as is_late,
  attributes ->> 'lateReason' as late_reason, assignee, first_assignee, created_by, done_by, created_time, updated_time,
  start_time, end_time, done_time, (attributes ->> 'arrivedTime')::timestamptz as arrived_time,
  (attributes ->> 'leftTime')::timestamptz as left_time, attributes ->> 'previousTaskId' as previous_task_id, lat, lng, "values"
from tasks where task_type <> 'activityMaster';
create view analytics.tasks with (security_barrier) as
select * from public.analyst_tasks where organization_id = (select analytics.organization_id());

do $$
declare
  analyst text;
begin
  for analyst in select rolname from pg_roles where rolname in (select 'fieldway_analyst_' || id from organizations) loop
    execute format('grant select on analytics.tasks to %I', analyst);
    execute format('grant execute on function session_times(text, text, timestamptz, timestamptz, tstzmultirange, tstzmultirange) to %I', analyst);
  end loop;
end $$;
