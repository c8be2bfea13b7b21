-- Months of positions that have ended are written anew in the order of their key (`order-months.ts`). Here the schema in
-- which tables are that are being made or are to be thrown away: apart from the product's own, so that backups and
-- restores leave them out. Locks nothing that is there already.
create schema location_work;

-- Keys of points that were written, changed or deleted in the month that is being copied.
create table location_work.changed_points (
  organization_number int not null,
  person_number int not null,
  recorded_at timestamptz not null,
  fingerprint int not null
);

create function note_changed_point() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into location_work.changed_points
    values (old.organization_number, old.person_number, old.recorded_at, old.fingerprint);
  end if;
  if tg_op <> 'DELETE' then
    insert into location_work.changed_points
    values (new.organization_number, new.person_number, new.recorded_at, new.fingerprint);
  end if;
  return null;
end $$;
