-- People who only do tasks can no longer change what the planner filled in on the initial page, unless the flow says so.
-- Flows whose people have done that in the last 90 days say so from now on, for those components. The history of a task
-- has what it was before each change, so what a change made of it is in the next entry, or in the task. Reads the history
-- once: about ten seconds per million entries.
with people as materialized (
  select users.organization_id, users.email, notes
  from users
  join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
  cross join lateral unnest(array['patched by ' || users.name, 'put by ' || users.name]) notes
  where not 'edit/task' = any (roles.permission_names) and not (roles.is_default and roles.name in ('owner', 'admin'))
), changes as materialized (
  select h.organization_id, tasks.flow_id, people.email, h.change_data as before,
    coalesce(next.change_data, tasks."values" || jsonb_build_object('updatedBy', tasks.updated_by)) as after
  from task_histories h
  join people on people.organization_id = h.organization_id and people.notes = h.notes
  join tasks on tasks.organization_id = h.organization_id and tasks.id = h.task_id
  left join lateral (
    select n.change_data from task_histories n
    where n.organization_id = h.organization_id and n.task_id = h.task_id and n.change_data is not null
      and (n.created_at, n.id) > (h.created_at, h.id)
    order by n.created_at, n.id limit 1) next on true
  where h.created_at > now() - interval '90 days' and h.action in ('patch', 'put') and h.change_data is not null
), touched as (
  select flows.organization_id, flows.id as flow_id, array_agg(distinct component->>'id') as ids
  from changes
  join flows on flows.organization_id = changes.organization_id and flows.id = changes.flow_id
  cross join lateral jsonb_array_elements(flows.pages->0->'components') component
  where changes.after->>'updatedBy' = changes.email
    and component->>'component' not in ('photo', 'signature', 'list', 'bill', 'view') and not component ? 'workerCanEdit'
    and coalesce(changes.before->>(component->>'id'), '') not in ('', '[]')
    and changes.before->>(component->>'id') is distinct from changes.after->>(component->>'id')
  group by flows.organization_id, flows.id
)
update flows set version = version + 1, updated_time = now(),
  pages = jsonb_set(pages, '{0,components}', (
    select jsonb_agg(
      case when component->>'id' = any (touched.ids) then component || '{"workerCanEdit": true}' else component end
      order by place)
    from jsonb_array_elements(flows.pages->0->'components') with ordinality listed (component, place)))
from touched
where flows.organization_id = touched.organization_id and flows.id = touched.flow_id;
