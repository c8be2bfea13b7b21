-- Lists of tasks that stay flat: every order and every filter that a list offers is counted and walked in
-- an index alone. On a table with rows this holds a lock that blocks writes to tasks while indexes are built.

-- The first of a task's people, or null. Nearly every task has one person at most, and unlike a list of
-- people one value can lead a b-tree that is scanned without touching the table.
alter table tasks add column first_assignee text generated always as (assignee[1]) stored;

drop index tasks_assignee;
create index tasks_assignee on tasks (organization_id, first_assignee, created_time, id)
  include (hub_id, status, flow_id, start_time, end_time, order_index);
create index tasks_assignees on tasks using gin (organization_id, assignee) where cardinality(assignee) > 1;

drop index tasks_done_by;
create index tasks_done_by on tasks (organization_id, done_by, done_time, id)
  include (hub_id, status, flow_id, created_time) where done_by is not null;

-- Ranges of a time are often listed in the order of another.
drop index tasks_created;
drop index tasks_start;
drop index tasks_done;
create index tasks_created on tasks (organization_id, created_time, id)
  include (hub_id, status, flow_id, start_time, end_time, done_time, order_index);
create index tasks_start on tasks (organization_id, start_time, id)
  include (hub_id, status, flow_id, created_time, end_time, done_time, order_index);
create index tasks_done on tasks (organization_id, done_time, id)
  include (hub_id, status, flow_id, created_time, start_time, order_index);

drop index tasks_updated;
drop index tasks_end;
drop index tasks_order;
drop index tasks_hub;
drop index tasks_status;
drop index tasks_flow;
create index tasks_updated on tasks (organization_id, updated_time, id) include (hub_id, status, flow_id);
create index tasks_end on tasks (organization_id, end_time, id) include (hub_id, status, flow_id, start_time);
create index tasks_order on tasks (organization_id, order_index, id) include (hub_id, status, flow_id);
create index tasks_hub on tasks (organization_id, hub_id, created_time, id) include (status, flow_id);
create index tasks_status on tasks (organization_id, status, created_time, id) include (hub_id, flow_id);
create index tasks_flow on tasks (organization_id, flow_id, created_time, id) include (hub_id, status);
create index tasks_place on tasks (organization_id, lat, lng) include (hub_id, status, flow_id) where lat is not null;
