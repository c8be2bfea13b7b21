-- Reports of a year read sums of months, and sums without reasons: `hourHub` and `dayHub` lose reasons, which made them five
-- times as many, and months that are over get sums of hubs (`monthHub`) and of hours of the day (`monthHour`). The months are
-- summed up again within an hour; until then reports read days. Locks rollups while they are rewritten: some 20 s for a million.

alter table rollups drop constraint rollups_grain_check;
alter table rollups add constraint rollups_grain_check
  check (grain in ('hour', 'hourHub', 'day', 'dayHub', 'month', 'monthHub', 'monthHour'));

create temporary table summed_rollups on commit drop as
select organization_id, grain, facet, at, hub_id, flow_id, outcome, is_late, vehicle_id, sum(tasks)::bigint as tasks,
  sum(stops)::bigint as stops, sum(first_attempts)::bigint as first_attempts, sum(timed)::bigint as timed,
  sum(service_seconds) as service_seconds, sum(waiting_seconds) as waiting_seconds, sum(late_seconds) as late_seconds,
  sum(ratings)::bigint as ratings, sum(stars)::bigint as stars, sum(meters) as meters, sum(seconds) as seconds,
  sum(travel_seconds) as travel_seconds, sum(idle_seconds) as idle_seconds, sum(used_seconds) as used_seconds,
  sum(shift_seconds) as shift_seconds, sum(loads)::bigint as loads, sum(load_used) as load_used
from rollups where grain in ('hourHub', 'dayHub') group by 1, 2, 3, 4, 5, 6, 7, 8, 9;

delete from rollups where grain in ('hourHub', 'dayHub', 'month');

insert into rollups (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, vehicle_id,
  tasks, stops, first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds,
  travel_seconds, idle_seconds, used_seconds, shift_seconds, loads, load_used)
select organization_id, grain, facet, at, hub_id, flow_id, '', outcome, is_late, '', '', vehicle_id, tasks, stops, first_attempts,
  timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds, travel_seconds, idle_seconds,
  used_seconds, shift_seconds, loads, load_used
from summed_rollups;

update rollup_months set is_current = false where is_current;
