-- Reports of one person by hour, reason or cause of lateness: without it they read the hours of everybody. Writes to rollups, and
-- reports with changes to count, wait for about two seconds per million rows of hours.
create index rollups_person_hours on rollups (organization_id, facet, person, at) where grain = 'hour';
