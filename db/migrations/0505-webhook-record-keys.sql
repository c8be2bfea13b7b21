-- Waiting deliveries and entries of the log without foreign keys that are checked row by row: with 1,000 webhooks they
-- were a sixth of what the database does for a delivery. Both are written by a transaction that holds the automation,
-- or the state of its endpoint, which goes with it; they go with the automation by a trigger. Takes exclusive locks on
-- three tables for a moment.
alter table automation_log
  drop constraint automation_log_organization_id_fkey,
  drop constraint automation_log_organization_id_automation_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_organization_id_automation_id_fkey;
create function automations_deleted() returns trigger language plpgsql as $$
declare
  part record;
begin
  for part in select organization_id, id from gone loop
    delete from webhook_deliveries where organization_id = part.organization_id and automation_id = part.id;
    delete from automation_log where organization_id = part.organization_id and automation_id = part.id;
  end loop;
  return null;
end $$;
create trigger automations_delete_entries after delete on automations
  referencing old table as gone for each statement execute function automations_deleted();
