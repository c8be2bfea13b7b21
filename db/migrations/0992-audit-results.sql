-- Notes changes of routing results that people make. A result is large and changes while it is computed, so that these
-- triggers look at a few columns of single rows. Locks the table for a moment.
create function audit_result() returns trigger language plpgsql as $$
declare
  origin jsonb := audit_origin();
  verb text := case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end;
  was jsonb := case when tg_op <> 'INSERT' then jsonb_build_object('name', old.name, 'hub_id', old.hub_id,
    'current_version', old.current_version, 'dispatch_status', old.dispatch_status, 'is_cancelled', old.is_cancelled) end;
  line jsonb := case when tg_op <> 'DELETE' then jsonb_build_object('name', new.name, 'hub_id', new.hub_id,
    'current_version', new.current_version, 'dispatch_status', new.dispatch_status, 'is_cancelled', new.is_cancelled) end;
  organization text := case when tg_op = 'DELETE' then old.organization_id else new.organization_id end;
  object text := case when tg_op = 'DELETE' then old.id else new.id end;
  title text := coalesce(line, was) ->> 'name';
begin
  if origin ->> 'entry' is null or not exists (select from organizations where id = organization) then return null; end if;
  insert into audit_parts (organization_id, entry_id, change, object_type, object_id, object_name, hub_id, before, after)
  values (organization, origin ->> 'entry', verb, 'result', object, title, coalesce(line, was) ->> 'hub_id',
    (select jsonb_object_agg(key, value) from jsonb_each(was) where value is distinct from line -> key),
    (select jsonb_object_agg(key, value) from jsonb_each(line) where value is distinct from was -> key));
  perform audit_entry(origin, organization, 'result', verb, 1, object, array[title]);
  return null;
end $$;
create trigger audit_insert after insert on routing_results for each row execute function audit_result();
create trigger audit_delete after delete on routing_results for each row execute function audit_result();
create trigger audit_update after update of name, hub_id, current_version, dispatch_status, is_cancelled on routing_results
  for each row when ((old.name, old.hub_id, old.current_version, old.dispatch_status, old.is_cancelled)
    is distinct from (new.name, new.hub_id, new.current_version, new.dispatch_status, new.is_cancelled))
  execute function audit_result();
