-- An organization may keep positions only from the time between the start and the finish of a session. The table is small.
alter table location_settings add only_during_sessions boolean not null default false;
