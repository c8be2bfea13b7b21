-- The time machine finds open tasks of a day by the end of their windows, within a week; those with longer windows, which are few,
-- by this index. It takes a lock against writes of tasks while it is built: 3 s for a million tasks.
create index tasks_long_windows on tasks (organization_id, end_time, id) include (status, start_time)
  where end_time - start_time > interval '7 days';
