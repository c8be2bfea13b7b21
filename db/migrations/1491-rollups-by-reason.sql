-- Reasons of a part of a month are read from sums of all people (`dayReason`); `day`, by person, loses reasons, which made it twice
-- as large. Locks rollups while they are rewritten: some 20 s for a million rows.

alter table rollups drop constraint rollups_grain_check;
alter table rollups add constraint rollups_grain_check
  check (grain in ('hour', 'hourHub', 'day', 'dayHub', 'dayReason', 'month', 'monthHub', 'monthHour'));

create temporary table summed_rollups on commit drop as
select organization_id, case when is_by_reason then 'dayReason' else 'day' end as grain, facet, at, hub_id, flow_id,
  case when is_by_reason then '' else person end as person, outcome, is_late,
  case when is_by_reason then reason else '' end as reason, case when is_by_reason then late_reason else '' end as late_reason,
  vehicle_id, sum(tasks)::bigint as tasks, sum(stops)::bigint as stops, sum(first_attempts)::bigint as first_attempts,
  sum(timed)::bigint as timed, sum(service_seconds) as service_seconds, sum(waiting_seconds) as waiting_seconds,
  sum(late_seconds) as late_seconds, sum(ratings)::bigint as ratings, sum(stars)::bigint as stars, sum(meters) as meters,
  sum(seconds) as seconds, sum(travel_seconds) as travel_seconds, sum(idle_seconds) as idle_seconds,
  sum(used_seconds) as used_seconds, sum(shift_seconds) as shift_seconds, sum(loads)::bigint as loads,
  sum(load_used) as load_used
from rollups, (values (true), (false)) kinds (is_by_reason) where grain = 'day'
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;

delete from rollups where grain = 'day';

insert into rollups (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, vehicle_id,
  tasks, stops, first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds,
  travel_seconds, idle_seconds, used_seconds, shift_seconds, loads, load_used)
select * from summed_rollups;
