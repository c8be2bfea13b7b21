-- A new organization chooses its time zone before anything is counted: its reports are complete at once. Replaces a function; no lock.
create or replace function begin_rollups() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into rollup_states (organization_id, covered_since) values (new.id, '-infinity');
  elsif new.time_zone <> old.time_zone then
    -- Hours and days begin at other times: what is counted already is counted again.
    update rollup_states set covered_since = null
    where organization_id = new.id and exists (select from rollups r where r.organization_id = new.id);
  end if;
  return null;
end $$;
