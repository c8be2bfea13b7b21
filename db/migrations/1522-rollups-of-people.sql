-- Sums of people without flows: a report of a year by person reads a third of the rows, and one person's days are found by an index.
-- Adds rows beside those of days: some 20 s for a million, during which nothing is counted. Months are summed up within an hour.

alter table rollups drop constraint rollups_grain_check;
alter table rollups add constraint rollups_grain_check check (grain in
  ('hour', 'hourHub', 'day', 'dayHub', 'dayReason', 'dayPerson', 'month', 'monthHub', 'monthHour', 'monthPerson'));

insert into rollups (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, vehicle_id,
  tasks, stops, first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds,
  travel_seconds, idle_seconds, used_seconds, shift_seconds, loads, load_used)
select organization_id, 'dayPerson', facet, at, hub_id, '', person, outcome, is_late, '', '', vehicle_id, sum(tasks), sum(stops),
  sum(first_attempts), sum(timed), sum(service_seconds), sum(waiting_seconds), sum(late_seconds), sum(ratings), sum(stars),
  sum(meters), sum(seconds), sum(travel_seconds), sum(idle_seconds), sum(used_seconds), sum(shift_seconds), sum(loads),
  sum(load_used)
from rollups where grain = 'day' group by organization_id, facet, at, hub_id, person, outcome, is_late, vehicle_id
-- Reports read the rows of some days: together they are on few pages.
order by organization_id, facet, at;

create index rollups_person on rollups (organization_id, facet, person, at) where grain = 'dayPerson';

update rollup_months set is_current = false where is_current;
