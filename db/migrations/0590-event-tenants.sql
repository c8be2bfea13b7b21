-- Domain events without a foreign key that is checked row by row: an import of 100,000 rows asked 100,000 times
-- whether its organization exists. They are written in a transaction that holds something of the organization
-- and go with it by a trigger. Takes an exclusive lock on domain_events for a moment.
alter table domain_events drop constraint domain_events_organization_id_fkey;
create function organizations_deleted_events() returns trigger language plpgsql as $$
declare
  tenant text;
begin
  for tenant in select id from gone loop
    delete from domain_events where organization_id = tenant;
  end loop;
  return null;
end $$;
create trigger organizations_delete_events after delete on organizations
  referencing old table as gone for each statement execute function organizations_deleted_events();
