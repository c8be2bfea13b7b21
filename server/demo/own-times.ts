import { inTransaction, type Pool } from "#core/database/database.ts"

/** How long before their window tasks of the past are created. */
const hoursBefore = 15

/**
 * What was sent now about days before `until` is dated as it would have been then: the tasks, and their changes in the audit trail,
 * from which the time machine shows past minutes. The trail of the new organization is sealed again.
 */
export async function dateBack(sql: Pool, until: Temporal.Instant): Promise<void> {
  await inTransaction(sql, async (tx) => {
    // No sealing runs meanwhile.
    await tx`select from audit_sealing for update`
    // Without an entry of the audit trail.
    await tx`select set_config('fieldway.origin', '{}', true)`
    await tx`
      update tasks set created_time = start_time - ${hoursBefore} * interval '1 hour',
        assigned_time = start_time - ${hoursBefore} * interval '1 hour', updated_time = done_time
      where done_time < ${until}`
    await tx`
      update audit_parts part set time = case change when 'create' then created_time else done_time end
      from tasks where tasks.organization_id = part.organization_id and object_type = 'task' and object_id = tasks.id
        and done_time < ${until}`
    await tx`
      update audit_log entry set time = last from (
        select organization_id, entry_id, max(time) as last from audit_parts group by 1, 2) parts
      where parts.organization_id = entry.organization_id and entry_id = entry.id and last < ${until}`
    await tx`delete from audit_blocks`
    await tx`update audit_sealing set sealed_xid = 0`
  })
}
