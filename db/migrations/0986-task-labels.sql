-- Filters by priority and by tags. Each index holds only the tasks that have one; building them blocks writes to tasks for
-- about a second per million tasks.
create index tasks_priority on tasks (organization_id, created_time, id) include (hub_id, status, flow_id)
  where attributes ? 'priority';
create index tasks_tags on tasks (organization_id, created_time, id) include (hub_id, status, flow_id)
  where attributes ? 'tags';
