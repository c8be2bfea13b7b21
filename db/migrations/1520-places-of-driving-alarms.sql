-- Where trackers reported alarms about driving, for the list behind their figures. Replaces a view: no table is locked.
create or replace view driving_alarms as
select organization_id, at, person, kind, alarm, lat, lng from (
  select a.organization_id, a.recorded_at as at, u.email as person, a.alarm, a.lat, a.lng,
    case a.alarm when 'overspeed' then 'speeding' else 'harshDriving' end as kind,
    lag(a.recorded_at) over (partition by a.organization_id, a.user_id, a.alarm order by a.recorded_at) as before
  from device_alarms a join users u on u.organization_id = a.organization_id and u.id = a.user_id
  where a.alarm in ('overspeed', 'harsh-acceleration', 'harsh-braking', 'harsh-cornering')
) alarms where before is null or at > before + interval '1 minute';
