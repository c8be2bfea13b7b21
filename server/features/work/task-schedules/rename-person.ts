import type { Tx } from "#core/database/database.ts"

/** Follows a person's new e-mail in the schedules that give them work or are signed by them. */
export async function renameInSchedules(
  tx: Tx,
  organizationId: string,
  from: string,
  to: string,
): Promise<void> {
  await tx`
    update task_schedules set assignee = array_replace(assignee, ${from}, ${to}), version = version + 1,
      created_by = case when created_by = ${from} then ${to} else created_by end
    where organization_id = ${organizationId} and (${from} = any (assignee) or created_by = ${from})`
}
