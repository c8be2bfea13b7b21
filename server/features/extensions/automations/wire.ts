import { type Caller, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import type { Sealing } from "#core/security/sealing.ts"
import { toT1 } from "#shared/wire-time.ts"
import { openForEditing } from "./automation-secrets.ts"
import { masked } from "./log/mask.ts"
import type { AutomationRow } from "./queries.ts"
import { type EndpointState, listEndpointStates } from "./webhooks/endpoint-state.ts"

/** Headers and keys are shown to those who may change them. */
export async function toWireAutomations(sealing: Sealing, caller: Caller, rows: readonly AutomationRow[]) {
  const webhooks = rows.filter(isWebhook).map(({ id }) => id)
  const owners = await listOwnersOf(sealing.sql, caller, rows)
  const states = await listEndpointStates(sealing.sql, caller.organizationId, webhooks)
  return Promise.all(
    rows.map(async (row) => ({
      ...toWire(row),
      owner: owners.get(row.ownerId ?? "") ?? null,
      automationDetails: may(caller, "edit/automation")
        ? await detailsForEditing(sealing, row)
        : masked(isSigned(row) ? { ...row.details, signingSecret: "" } : row.details),
      ...(isWebhook(row) ? { delivery: toWireState(states.get(row.id)) } : {}),
    })),
  )
}

/** As it was, without secrets: those come back with it. */
export function toWireDeleted(row: AutomationRow) {
  return { ...toWire(row), owner: null, automationDetails: masked(row.details) }
}

type WireOwner = { _id: Id<"user">; name: string; email: string }

async function listOwnersOf(sql: Sql, caller: Caller, rows: readonly AutomationRow[]) {
  const ids = [...new Set(rows.flatMap(({ ownerId }) => ownerId ?? []))]
  const people = await sql<{ id: Id<"user">; name: string; email: string }[]>`
    select id, name, email from users where organization_id = ${caller.organizationId} and id = any (${ids})`
  return new Map<string, WireOwner>(people.map(({ id, name, email }) => [id, { _id: id, name, email }]))
}

const isWebhook = ({ automationType }: AutomationRow) => automationType === "webhook"

async function detailsForEditing(sealing: Sealing, row: AutomationRow): Promise<Record<string, unknown>> {
  const { details, signingSecret, previousSigningSecret, previousSigningSecretUntil } = await openForEditing(
    sealing,
    row,
  )
  return {
    ...details,
    ...(signingSecret === null ? {} : { signingSecret }),
    ...(previousSigningSecretUntil === null
      ? {}
      : { previousSigningSecret, previousSigningSecretUntil: toT1(previousSigningSecretUntil) }),
  }
}

const isSigned = ({ details }: AutomationRow) => details.signature === true || details.format === "standard"

function toWireState(state: EndpointState | undefined) {
  return {
    isPaused: Boolean(state?.pausedTime),
    pausedTime: state?.pausedTime ? toT1(state.pausedTime) : null,
    pauseReason: state?.pauseReason ?? null,
    waiting: state?.waiting ?? 0,
    failures: state?.failureCount ?? 0,
    failingSince: state?.failingSince ? toT1(state.failingSince) : null,
  }
}

function toWire(row: AutomationRow) {
  return {
    _id: row.id,
    name: row.name,
    event: row.event,
    dataType: row.dataType,
    automationType: row.automationType,
    rules: { ...row.rules },
    isActive: row.isActive,
    organizationId: row.organizationId,
    pausedTime: row.pausedTime ? toT1(row.pausedTime) : null,
    pauseReason: row.pauseReason,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}
