-- The planner knows an indexed expression by the rows of its partial index alone, and took every task for one with an
-- outcome. Of the operator it expects few. Both statements need as long as one read of the table.
drop index tasks_outcome;
create index tasks_outcome on tasks (organization_id, created_time, id)
  include (hub_id, status, flow_id) where attributes ? 'outcome';
