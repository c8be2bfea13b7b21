-- Alarms that trackers sent with a position, such as SOS or harsh braking. A new, empty table: no lock matters.
create table device_alarms (
  organization_id text not null,
  user_id text not null,
  alarm text not null,
  recorded_at timestamptz not null,
  received_at timestamptz not null,
  -- Null: the device had no fix.
  lat double precision,
  lng double precision,
  primary key (organization_id, user_id, recorded_at, alarm),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index device_alarms_received on device_alarms (organization_id, received_at);

-- What trackers reported about driving, as reports count it: what a device repeats within a minute is one.
create view driving_alarms as
select organization_id, at, person, kind from (
  select a.organization_id, a.recorded_at as at, u.email as person,
    case a.alarm when 'overspeed' then 'speeding' else 'harshDriving' end as kind,
    lag(a.recorded_at) over (partition by a.organization_id, a.user_id, a.alarm order by a.recorded_at) as before
  from device_alarms a join users u on u.organization_id = a.organization_id and u.id = a.user_id
  where a.alarm in ('overspeed', 'harsh-acceleration', 'harsh-braking', 'harsh-cornering')
) alarms where before is null or at > before + interval '1 minute';
