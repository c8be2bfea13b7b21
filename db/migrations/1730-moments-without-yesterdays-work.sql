-- A moment of the time machine leaves out the tasks of the day before that were finished by then, without reading their changes.
-- Building the indexes holds writes of tasks and audited tables for some seconds per million rows.

-- Tasks finished by a past time are told by the time of their result alone,
drop index tasks_end;
create index tasks_end on tasks (organization_id, end_time, id) include (hub_id, status, flow_id, start_time, done_time);

-- except those whose result was entered more than five minutes after it, or whose time of the result was changed.
create index audit_parts_done_late on audit_parts (organization_id, time)
  where object_type = 'task' and change = 'update' and (after ->> 'status' = 'DONE' or after ? 'done_time')
    and (time - audit_instant(after, 'done_time') <= interval '5 minutes') is not true;
