-- Outcomes other than done, late work, and work that a supervisor has yet to accept: few tasks, that lists ask for. The
-- indexes are empty at first. Creating them reads the table once, and blocks writes to tasks for about a second per
-- million tasks.
create index tasks_outcome on tasks (organization_id, (attributes->>'outcome'), created_time, id)
  include (hub_id, status, flow_id) where attributes->>'outcome' is not null;
create index tasks_late on tasks (organization_id, created_time, id)
  include (hub_id, status, flow_id) where attributes->'isLate' = 'true';
create index tasks_review on tasks (organization_id, created_time, id)
  include (hub_id, status, flow_id) where attributes->'needsReview' = 'true';
-- What a change did not apply and what a supervisor overrode, next to what the task was before. A column without a default.
alter table task_histories add column details jsonb;
