import { type Caller, findCallerOfUser, may } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Addressee, queueMail } from "../../organization/mails/index.ts"
import { neededPermissions } from "./needed-permissions.ts"
import { type AutomationRow, automationColumns } from "./queries.ts"
import { keyOf } from "./webhooks/delivery-queue.ts"
import { pauseEndpoint } from "./webhooks/endpoint-state.ts"

export type OwnerLoss = "membership" | "permission"

/** The owner with the rights that they have now, or why the automation can no longer act as them. */
export async function findOwner(
  sql: Sql,
  automation: AutomationRow,
): Promise<{ owner: Caller } | { loss: OwnerLoss }> {
  const owner =
    automation.ownerId === null
      ? undefined
      : await findCallerOfUser(sql, automation.organizationId, automation.ownerId)
  if (!owner) return { loss: "membership" }
  return neededPermissions(automation).every((name) => may(owner, name)) ? { owner } : { loss: "permission" }
}

/** Who changes things: the rights of the owner, and the author that everything made by automations has. */
export function actingFor(owner: Caller): Caller {
  // What the owner sees was checked with their own address; the system caller would see nothing of it.
  const permissions = new Set([...owner.permissions].filter((name) => name !== "view/task/only-me"))
  return { ...owner, email: "System", name: "System", permissions }
}

/** Pauses an automation until somebody saves it, and mails its owner and the administrators once. */
export async function pauseFor(
  tx: Tx,
  automation: AutomationRow,
  loss: OwnerLoss,
  now: Temporal.Instant,
): Promise<void> {
  const paused = await tx`
    update automations set paused_time = ${now}, pause_reason = ${loss}
    where organization_id = ${automation.organizationId} and id = ${automation.id} and paused_time is null`
  if (paused.count === 0) return
  if (automation.automationType === "webhook") await pauseEndpoint(tx, keyOf(automation), "owner", now)
  for (const person of await listConcerned(tx, automation))
    await queueMail(tx, person, "automationPaused", {
      name: automation.name,
      loss,
      permissions: neededPermissions(automation).join(", "),
    })
}

/** The owner, while they have a membership of any state, and the active owners and administrators of the organization. */
function listConcerned(tx: Tx, { organizationId, ownerId }: AutomationRow): Promise<Addressee[]> {
  return tx<Addressee[]>`
    select users.organization_id, users.email, organizations.language from users
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    join organizations on organizations.id = users.organization_id
    where users.organization_id = ${organizationId} and (users.id = ${ownerId}
      or (users.status = 'active' and roles.is_default and roles.name in ('owner', 'admin')))`
}

/** Pauses the automations of people who left or lost a permission since, before the next event finds out. */
export async function checkOwners(tx: Tx, now: Temporal.Instant): Promise<void> {
  const automations = await tx<AutomationRow[]>`
    select ${automationColumns(tx)} from automations where is_active and paused_time is null order by organization_id, id`
  for (const automation of automations) {
    const found = await findOwner(tx, automation)
    if ("loss" in found) await pauseFor(tx, automation, found.loss, now)
  }
}
