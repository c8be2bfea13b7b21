-- The audit trail also notes where tasks are, so that the time machine shows where they were, and where deleted ones were. Replaces
-- the triggers of tasks: writes to tasks wait for a moment.
select audit_table('tasks', 'task', 'id', 'title', 'hub_id', '{}',
  '{first_assignee,has_photos,assigned_to,assigned_by,assigned_time,content,label}');
