-- What analysts may read, with SQL and in Parquet files: views of one organization's rows, for the login role of that organization
-- (`npm run analyst`). Nothing of the tables themselves is granted. New objects: no lock matters.
create schema analytics;

-- The organization of the session's role; null for every other role, which then sees nothing.
create function analytics.organization_id() returns text stable parallel safe language sql security definer
set search_path = public, pg_temp as $$
  select id from organizations where id = substring(session_user from '^fieldway_analyst_([0-9a-f]{24})$')
$$;

-- Of all organizations, for the service itself: what analysts get is defined here once.
create view analyst_hubs as
select organization_id, id, name,
  coalesce(time_zone, (select o.time_zone from organizations o where o.id = organization_id)) as time_zone
from hubs;

create view analyst_flows as
select organization_id, id, name from flows;

create view analyst_people as
select organization_id, id, email, name, status from users;

create view analyst_tasks as
select organization_id, id, ref_id, task_type, title, hub_id, flow_id, flow as flow_name, status,
  case when status = 'DONE' then coalesce(attributes ->> 'outcome', 'done') end as outcome,
  attributes ->> 'outcomeReason' as outcome_reason, coalesce(attributes ->> 'isLate' = 'true', false) as is_late,
  attributes ->> 'lateReason' as late_reason, assignee, first_assignee, created_by, done_by, created_time, updated_time,
  start_time, end_time, done_time, attributes ->> 'arrivedTime' as arrived_time, attributes ->> 'leftTime' as left_time,
  attributes ->> 'previousTaskId' as previous_task_id, lat, lng, "values"
from tasks where task_type <> 'activityMaster';

create view analyst_ratings as
select organization_id, task_id, hub_id, flow_id, stars, comment, created_time
from customer_feedback where kind = 'rating';

create view analyst_sessions as
select organization_id, person, at as started_time, seconds, meters from attended_sessions;

create view analyst_alerts as
select organization_id, id, rule_id, kind, hub_ids, user_id, email, task_id, geofence_id, started_at as started_time,
  ended_at as ended_time, acknowledged_at as acknowledged_time, acknowledged_by
from alerts;

create view analyst_hours as
select organization_id, facet, at as hour, hub_id, flow_id, person, outcome, is_late, reason, late_reason, tasks, stops,
  first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds
from rollups where grain = 'hour';

create view analytics.hubs with (security_barrier) as
select * from public.analyst_hubs where organization_id = (select analytics.organization_id());
create view analytics.flows with (security_barrier) as
select * from public.analyst_flows where organization_id = (select analytics.organization_id());
create view analytics.people with (security_barrier) as
select * from public.analyst_people where organization_id = (select analytics.organization_id());
create view analytics.tasks with (security_barrier) as
select * from public.analyst_tasks where organization_id = (select analytics.organization_id());
create view analytics.ratings with (security_barrier) as
select * from public.analyst_ratings where organization_id = (select analytics.organization_id());
create view analytics.sessions with (security_barrier) as
select * from public.analyst_sessions where organization_id = (select analytics.organization_id());
create view analytics.alerts with (security_barrier) as
select * from public.analyst_alerts where organization_id = (select analytics.organization_id());
create view analytics.hours with (security_barrier) as
select * from public.analyst_hours where organization_id = (select analytics.organization_id());
