-- Simplified tracks, the history of estimates and the sums of reports can be distributed by the organization (docs/scaling.md). Their
-- foreign keys led to tables that cannot. What deletes the parents deletes these rows too; a task's estimates go after 90 days.
alter table location_outlines drop constraint location_outlines_organization_number_person_number_fkey;
alter table task_estimate_history drop constraint task_estimate_history_organization_id_task_id_fkey;
alter table rollups drop constraint rollups_organization_id_fkey;

-- A subquery without columns is refused where the sums are on another machine.
create or replace function begin_rollups() returns trigger language plpgsql as $function$
begin
  if tg_op = 'INSERT' then
    insert into rollup_states (organization_id, covered_since) values (new.id, '-infinity');
  elsif new.time_zone <> old.time_zone then
    -- Hours and days begin at other times: what is counted already is counted again.
    update rollup_states set covered_since = null
    where organization_id = new.id and exists (select 1 from rollups r where r.organization_id = new.id);
  end if;
  return null;
end $function$;
