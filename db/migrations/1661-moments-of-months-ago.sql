-- The time machine finds tasks that have left a past day by the times that a change replaced: a moment of some months ago read every
-- change of a time window or hub since. Building the indexes holds writes of audited tables for some seconds per million rows.

-- A time as the audit trail has it, with its offset: the result does not depend on settings, as a plain cast of text may.
create function audit_instant(line jsonb, name text) returns timestamptz language sql immutable parallel safe
  return (line ->> name)::timestamptz;

-- Tasks that were deleted or got another start.
create index audit_parts_moved on audit_parts (organization_id, audit_instant(before, 'start_time'))
  where object_type = 'task' and before ? 'start_time';

-- Those of them that were open for long.
create index audit_parts_moved_late on audit_parts (organization_id, time)
  where object_type = 'task' and before ? 'start_time' and time - audit_instant(before, 'start_time') > interval '7 days'
    and (audit_instant(before, 'end_time') - audit_instant(before, 'start_time') > interval '7 days') is not false;

-- Tasks that got an end in the past.
create index audit_parts_ended on audit_parts (organization_id, time)
  where object_type = 'task' and before ? 'end_time' and not before ? 'start_time' and audit_instant(after, 'end_time') < time;

drop index audit_parts_left;

-- By time instead of number: what changed before the moment is passed over in the index. An object has few changes to put in order.
drop index audit_parts_object;
create index audit_parts_object on audit_parts (organization_id, object_id, time);
