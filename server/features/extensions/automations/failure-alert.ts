import type { Tx } from "#core/database/database.ts"
import { type Addressee, queueMail } from "../../organization/mails/index.ts"
import type { AutomationRow } from "./queries.ts"

const windowMinutes = 60

/** Worth a mail: more than five failures that are over 80 % of the tries, or more than fifty. */
export function isAlarming({ attempted, failed }: { attempted: number; failed: number }): boolean {
  return failed > 50 || (failed > 5 && failed / attempted > 0.8)
}

/**
 * Counts tries of a webhook of which some failed, within the hour that its first failure began, and mails the
 * owners once per hour when too many fail.
 */
export async function watchFailures(
  tx: Tx,
  automation: AutomationRow,
  { attempted, failed }: { attempted: number; failed: number },
  now: Temporal.Instant,
): Promise<void> {
  const { organizationId, id } = automation
  const oldest = now.subtract({ minutes: windowMinutes })
  const rows = await tx<
    { attempted: number; failed: number; isAlerted: boolean; startedTime: Temporal.Instant }[]
  >`
    insert into webhook_failures as w (organization_id, automation_id, started_time, attempted, failed)
    select ${organizationId}, ${id}, ${now}, ${attempted}, ${failed}
    from automations where organization_id = ${organizationId} and id = ${id}
    on conflict (organization_id, automation_id) do update set
      started_time = case when w.started_time > ${oldest} then w.started_time else excluded.started_time end,
      attempted = case when w.started_time > ${oldest} then w.attempted + excluded.attempted else excluded.attempted end,
      failed = case when w.started_time > ${oldest} then w.failed + excluded.failed else excluded.failed end,
      is_alerted = w.is_alerted and w.started_time > ${oldest}
    returning attempted, failed, is_alerted, started_time`
  const window = rows[0]
  if (!window || window.isAlerted || !isAlarming(window)) return
  await tx`
    update webhook_failures set is_alerted = true where organization_id = ${organizationId} and automation_id = ${id}`
  const minutes = Math.max(1, Math.round(now.since(window.startedTime).total("minutes")))
  for (const owner of await listOwners(tx, organizationId))
    await queueMail(tx, owner, "webhookFailing", {
      name: automation.name,
      endpoint: String(automation.details.url),
      failed: window.failed,
      attempted: window.attempted,
      minutes,
    })
}

/** Who receives mails about webhooks, in their organization's language. */
export async function listOwners(tx: Tx, organizationId: string): Promise<Addressee[]> {
  return tx<Addressee[]>`
    select users.organization_id, users.email, organizations.language from users
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    join organizations on organizations.id = users.organization_id
    where users.organization_id = ${organizationId} and roles.is_default and roles.name = 'owner' and users.status = 'active'`
}
