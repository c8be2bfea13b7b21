-- Tasks that were deleted, or left their day or hub, after a moment: found to show the moment as it was. Few rows of
-- audit_parts. Building the index holds writes of audited tables for about a second per million rows.
create index audit_parts_left on audit_parts (organization_id, time)
  where object_type = 'task' and (change = 'delete' or before ? 'start_time' or before ? 'end_time' or before ? 'hub_id');
