import { type Caller, may } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import type { Permission } from "#core/permissions.ts"
import { checkName } from "./check-flow.ts"
import { flowErrors } from "./errors.ts"
import { insertFlowLogs } from "./flow-logs.ts"
import { type FlowRow, insertFlow, lockFlow, placeFlow, toWireFlow } from "./queries.ts"
import { announce, deleteFlow, writeFlow } from "./write-flow.ts"

export interface ReorderEntry {
  flowId: string
  flowName?: string
  doDuplicate?: boolean
  doDelete?: boolean
}

export type ReorderOutcome =
  | { kind: "placed" | "duplicated" | "deleted"; flow: FlowRow }
  | { kind: "refused"; refusal: AppError }

/**
 * Saves the flow manager's list: the order of the entries becomes the order of the flows, from 1; an entry
 * may also rename, copy or delete its flow. Flows that are not named keep their place. An entry that is
 * refused leaves the others.
 */
export async function reorderFlows(
  tx: Tx,
  caller: Caller,
  entries: readonly ReorderEntry[],
  live: LiveEvents,
): Promise<ReorderOutcome[]> {
  const outcomes: ReorderOutcome[] = []
  let position = 0
  for (const entry of entries) {
    try {
      const outcome = await inTransaction(tx, (step) => saveEntry(step, caller, entry, position + 1, live))
      if (outcome.kind !== "deleted") position++
      outcomes.push(outcome)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes.push({ kind: "refused", refusal: error })
    }
  }
  return outcomes
}

async function saveEntry(
  tx: Tx,
  caller: Caller,
  entry: ReorderEntry,
  orderIndex: number,
  live: LiveEvents,
): Promise<ReorderOutcome> {
  const flow = await lockFlow(tx, caller, entry.flowId)
  if (!flow) throw flowErrors.notFound()
  if (entry.doDelete) {
    demand(caller, "delete/flow")
    return { kind: "deleted", flow: await deleteFlow(tx, caller, flow.id, live) }
  }
  if (entry.doDuplicate) {
    demand(caller, "add/flow")
    return { kind: "duplicated", flow: await copyFlow(tx, caller, flow, entry.flowName, orderIndex, live) }
  }
  const name = entry.flowName?.trim()
  if (name && name !== flow.name) {
    checkName(name)
    return { kind: "placed", flow: await writeFlow(tx, caller, flow, { ...flow, name, orderIndex }, live) }
  }
  return { kind: "placed", flow: await moveFlow(tx, caller, flow, orderIndex, live) }
}

/** A new place alone is no new version. */
async function moveFlow(
  tx: Tx,
  caller: Caller,
  before: FlowRow,
  orderIndex: number,
  live: LiveEvents,
): Promise<FlowRow> {
  if (before.orderIndex === orderIndex) return before
  const after = await placeFlow(tx, caller, before.id, orderIndex)
  if (!after) throw flowErrors.notFound()
  const states = { rawData: toWireFlow(before), changeData: toWireFlow(after) }
  await insertFlowLogs(tx, caller, [
    { flowId: after.id, action: "reorder", version: before.version, ...states },
  ])
  await announce(tx, caller, after.id, live)
  return after
}

async function copyFlow(
  tx: Tx,
  caller: Caller,
  { pages, configurations }: FlowRow,
  flowName: string | undefined,
  orderIndex: number,
  live: LiveEvents,
): Promise<FlowRow> {
  const name = flowName?.trim() ?? ""
  checkName(name)
  const copy = await insertFlow(tx, caller, { name, pages, configurations, isDefault: false, orderIndex })
  if (!copy) throw flowErrors.nameTaken()
  const changeData = toWireFlow(copy)
  const { _id, ...rawData } = changeData
  await insertFlowLogs(tx, caller, [{ flowId: copy.id, action: "create", version: 1, rawData, changeData }])
  await announce(tx, caller, copy.id, live)
  return copy
}

function demand(caller: Caller, permission: Permission): void {
  if (!may(caller, permission))
    throw flowErrors.forbidden({ message: `Your role lacks the permission ${permission}` })
}
