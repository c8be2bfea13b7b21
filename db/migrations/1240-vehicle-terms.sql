-- What a vehicle may do and what it costs, beside its hours and loads: own start and end, limits of the day, overtime, costs,
-- certificates with their validity, CO2. A constant default: nothing is rewritten.
alter table vehicles add column terms jsonb not null default '{}';
