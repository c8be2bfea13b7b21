import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import type { Sealing } from "#core/security/sealing.ts"
import { openForEditing } from "../automation-secrets.ts"
import { newSecret } from "../check-automation.ts"
import { automationErrors } from "../errors.ts"
import { type AutomationRow, lockAutomation, updateAutomation } from "../queries.ts"

/**
 * Gives a signed webhook a new signing secret. The one before it signs as well for the given hours, so that the receiver
 * can be changed over without refusing a delivery; one that was still valid from an earlier rotation ends.
 */
export async function rotateSecret(
  tx: Tx,
  caller: Caller,
  automationId: string,
  { previousHours, now, ip, config }: RotationOptions,
): Promise<AutomationRow> {
  const sealing = { sql: tx, config }
  const row = await lockAutomation(tx, caller, automationId)
  if (!row) throw automationErrors.notFound()
  const before = await openForEditing(sealing, row)
  if (row.details.signature !== true && row.details.format !== "standard")
    throw automationErrors.badTrigger({ message: "Only a signed webhook has a signing secret" })
  const isKept = previousHours > 0 && before.signingSecret !== null
  const changed = await updateAutomation(sealing, caller, before.id, {
    ...before,
    signingSecret: newSecret(),
    previousSigningSecret: isKept ? before.signingSecret : null,
    previousSigningSecretUntil: isKept ? now.add({ hours: previousHours }) : null,
  })
  await audit(tx, actorOf(caller, ip), {
    action: "automation.rotate-secret",
    targetType: "automation",
    targetId: changed.id,
    targetName: changed.name,
  })
  return changed
}

interface RotationOptions {
  previousHours: number
  now: Temporal.Instant
  ip: string
  config: Sealing["config"]
}
