-- Most sums have one row for all outcomes, with their counts in columns, instead of a row for each outcome, late and in time: reports
-- of a year by two groups read a third of the rows. Sums that reports show by outcome keep a row for each. Locks rollups while they
-- are rewritten: some 20 s for a million. Months are summed up again within an hour; until then reports read days.

alter table rollups
  add column late bigint not null default 0,
  add column done bigint not null default 0,
  add column partial bigint not null default 0,
  add column failed bigint not null default 0,
  add column returned bigint not null default 0,
  drop constraint rollups_grain_check,
  add constraint rollups_grain_check check (grain in
    ('hour', 'hourHub', 'hourSum', 'day', 'dayHub', 'dayReason', 'dayPerson', 'month', 'monthHub', 'monthHour', 'monthPerson'));

create temporary table summed_rollups on commit drop as
select organization_id, case grain when 'hourHub' then 'hourSum' else grain end as grain, facet, at, hub_id, flow_id, person, vehicle_id,
  sum(tasks) as tasks, sum(stops) as stops, sum(first_attempts) as first_attempts, sum(timed) as timed,
  sum(service_seconds) as service_seconds, sum(waiting_seconds) as waiting_seconds, sum(late_seconds) as late_seconds,
  sum(ratings) as ratings, sum(stars) as stars, sum(meters) as meters, sum(seconds) as seconds, sum(travel_seconds) as travel_seconds,
  sum(idle_seconds) as idle_seconds, sum(used_seconds) as used_seconds, sum(shift_seconds) as shift_seconds, sum(loads) as loads,
  sum(load_used) as load_used, coalesce(sum(tasks) filter (where is_late), 0) as late,
  coalesce(sum(tasks) filter (where outcome = 'done'), 0) as done,
  coalesce(sum(tasks) filter (where outcome = 'partial'), 0) as partial,
  coalesce(sum(tasks) filter (where outcome = 'failed'), 0) as failed,
  coalesce(sum(tasks) filter (where outcome = 'returned'), 0) as returned
from rollups where grain in ('hourHub', 'dayHub', 'dayPerson')
group by organization_id, grain, facet, at, hub_id, flow_id, person, vehicle_id;

delete from rollups where grain in ('dayHub', 'dayPerson', 'monthPerson');

insert into rollups (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, vehicle_id,
  tasks, stops, first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds, travel_seconds,
  idle_seconds, used_seconds, shift_seconds, loads, load_used, late, done, partial, failed, returned)
select organization_id, grain, facet, at, hub_id, flow_id, person, '', false, '', '', vehicle_id,
  tasks, stops, first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds, travel_seconds,
  idle_seconds, used_seconds, shift_seconds, loads, load_used, late, done, partial, failed, returned
from summed_rollups
-- Reports read the rows of some days: together they are on few pages.
order by organization_id, grain, facet, at;

update rollup_months set is_current = false where is_current;
