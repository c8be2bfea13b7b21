-- A flow's name also stands as text in schedules and automations, beside its id: renaming it renames it there, so
-- that what runs tomorrow and what people read agree. Tasks keep the name they were made under. Locks rows only.
create function flows_renamed() returns trigger language plpgsql as $$
begin
  update task_schedules set flow = new.name,
    task = case when task ? 'flow' then jsonb_set(task, '{flow}', to_jsonb(new.name)) else task end
  where organization_id = new.organization_id and flow_id = new.id;
  update automations set
    rules = case when rules->>'flowId' = new.id and rules ? 'flow' then jsonb_set(rules, '{flow}', to_jsonb(new.name)) else rules end,
    details = case when details->>'flowId' = new.id and details ? 'flow' then jsonb_set(details, '{flow}', to_jsonb(new.name)) else details end
  where organization_id = new.organization_id and (rules->>'flowId' = new.id or details->>'flowId' = new.id);
  return null;
end $$;
create trigger flows_rename after update of name on flows
  for each row when (old.name <> new.name) execute function flows_renamed();
