import { hasHub, may } from "#core/access/caller.ts"
import { type ActionObject, readRows } from "#core/audit-trail/action-objects.ts"
import type { AuditedObject, ByRow, Columns, Earlier, UndoStep } from "#core/audit-trail/audited-object.ts"
import { deleteRow, readUndoColumns, rewriteRow } from "#core/audit-trail/undo-rows.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { callRoute } from "#core/http/internal-calls.ts"
import { currentTrace } from "#core/telemetry/trace-context.ts"
import { restoreRows, trashErrors } from "#core/trash.ts"
import { findDeleted, restoreFromTrash } from "../trash/index.ts"
import { auditErrors } from "./errors.ts"
import type { Undo } from "./undo.ts"

/** As the audit trail has values that it does not keep. */
const hidden = "…"

export function leaveAlone(
  { undone }: Undo,
  { objectType, objectId, objectName }: ActionObject,
  reason: string,
): void {
  undone.leftAlone.push({ objectType, objectId, objectName, reason })
}

export async function restore(
  undo: Undo,
  kind: AuditedObject,
  group: readonly ActionObject[],
): Promise<void> {
  const { app, tx, caller, address, options } = undo
  if (kind.trashType === undefined) return putBack(undo, kind, group)
  const sight = { caller, kinds: options.restorers }
  const ids = group.map(({ objectId }) => objectId)
  const deleted = await findDeleted(tx, sight, kind.trashType, ids)
  const context = { now: app.clock.now(), live: app.live, publicUrl: app.settings.publicUrl, address }
  for (const object of group) {
    const trashId = deleted.get(object.objectId)
    try {
      if (trashId !== undefined) {
        await inTransaction(tx, (step) => restoreFromTrash(step, sight, trashId, context))
        for (const call of kind.undo.afterRestore?.(object.objectId, lastRow(object) ?? {}) ?? [])
          await runCall(undo, call)
      }
      // What was deleted with something else came back with it.
      else if ((await readRows(tx, kind.undo, caller.organizationId, [object.objectId])).size === 0) {
        leaveAlone(undo, object, "It is no longer in the trash")
        continue
      }
      undo.undone.done += 1
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      leaveAlone(undo, object, error.message)
    }
  }
}

/** An object as it was when it was deleted. */
function lastRow({ parts }: ActionObject): Columns | null | undefined {
  return parts.findLast(({ change }) => change === "delete")?.before
}

/** Inserts what was deleted without the trash, then sends it through the route that changes it, which checks and publishes it. */
async function putBack(undo: Undo, kind: AuditedObject, group: readonly ActionObject[]): Promise<void> {
  const { app, caller } = undo
  const { table, putBack: how, revert: change, byRow } = kind.undo
  const now = app.clock.now()
  const unshown = await unshownColumns(undo, kind)
  for (const object of group) {
    const id = object.objectId
    if (!byRow && !how) {
      leaveAlone(undo, object, "It was not kept; create it again")
      continue
    }
    const kept = { updated_time: now.toString(), ...lastRow(object), ...unshown.get(id) }
    const row: Columns = { ...kept, ...how?.complete?.(kept), organization_id: caller.organizationId }
    await writeBack(undo, kind, object, async (step) => {
      if (byRow) requireRight(undo, byRow, row)
      else if (how?.permission && !may(caller, how.permission)) throw trashErrors.forbidden()
      await restoreRows(step, caller, table, [row])
      await byRow?.follow?.({ tx: step, caller, live: app.live, plan: "restore", row })
      return change([{ id, before: {}, row, parts: object.parts }], { sql: step, caller, now })
    })
  }
}

/** Writes rows, then calls routes. What those refuse is rolled back with the rows. */
async function writeBack(
  undo: Undo,
  kind: AuditedObject,
  object: ActionObject,
  write: (step: Tx) => Promise<readonly UndoStep[]>,
): Promise<void> {
  try {
    await inTransaction(undo.tx, async (step) => {
      for (const call of await write(step))
        for (const reason of (await runCall({ ...undo, tx: step }, call)).values()) throw new Refused(reason)
    })
    if (!kind.undo.isPart) undo.undone.done += 1
  } catch (error) {
    if (!(error instanceof AppError || error instanceof Refused)) throw error
    leaveAlone(undo, object, error.message)
  }
}

function requireRight({ caller, actorId }: Undo, { permissions, hub, onlyActor }: ByRow, row: Columns): void {
  if (onlyActor && (actorId !== caller.userId || caller.tokenKind !== "session"))
    throw auditErrors.onlyActor()
  if (permissions && !permissions.some((permission) => may(caller, permission))) throw trashErrors.forbidden()
  const hubId = hub === undefined ? undefined : row[hub]
  if (typeof hubId === "string" && !hasHub(caller, hubId)) throw trashErrors.forbidden()
}

function unshownColumns({ tx, caller, entryId }: Undo, { type }: AuditedObject) {
  return readUndoColumns(tx, caller.organizationId, entryId, type)
}

export async function revert(undo: Undo, kind: AuditedObject, group: readonly ActionObject[]): Promise<void> {
  const { tx, caller } = undo
  const ids = group.map(({ objectId }) => objectId)
  const rows = await readRows(tx, kind.undo, caller.organizationId, ids)
  const unshown = await unshownColumns(undo, kind)
  const routed: Earlier[] = []
  for (const object of group) {
    const id = object.objectId
    const row = rows.get(id)
    if (!row) {
      if (!kind.undo.isPart) leaveAlone(undo, object, "It no longer exists")
      continue
    }
    const earlier = { id, before: earliest(object), row, parts: object.parts }
    const written = writtenColumns(kind, earlier, unshown.get(id) ?? {})
    if (Object.keys(written).length === 0) routed.push(earlier)
    else await writeBack(undo, kind, object, (step) => rewrite({ ...undo, tx: step }, kind, earlier, written))
  }
  await run(undo, await kind.undo.revert(routed, { sql: tx, caller, now: undo.app.clock.now() }), group)
}

/** What is written back as it was: all of a row that no route changes, else columns that none takes or the audit trail hides. */
function writtenColumns({ undo }: AuditedObject, { before, row, parts }: Earlier, unshown: Columns): Columns {
  if (undo.byRow && (undo.byRow.applies?.(before, row) ?? true)) {
    // A row that was deleted and made again in one action.
    const isWhole = parts[0]?.change === "delete"
    const shown = Object.entries(before).filter(([, value]) => value !== hidden)
    return { ...Object.fromEntries(shown), ...(isWhole ? unshown : pickHidden(before, unshown)) }
  }
  const unrouted = Object.entries(before).filter(([name]) => undo.unrouted?.includes(name))
  return { ...Object.fromEntries(unrouted), ...pickHidden(before, unshown) }
}

function pickHidden(before: Columns, unshown: Columns): Columns {
  return Object.fromEntries(Object.entries(unshown).filter(([name]) => before[name] === hidden))
}

/** Writes the columns; returns the calls that give back the others. */
async function rewrite(
  undoing: Undo,
  { undo }: AuditedObject,
  earlier: Earlier,
  written: Columns,
): Promise<readonly UndoStep[]> {
  const { app, tx, caller } = undoing
  const { byRow } = undo
  const isByRow = byRow !== undefined && (byRow.applies?.(earlier.before, earlier.row) ?? true)
  if (isByRow) {
    requireRight(undoing, byRow, { ...earlier.row, ...written })
    const refusal = byRow.refuse?.(earlier.before, earlier.row)
    if (refusal !== undefined) throw new Refused(refusal)
  }
  await rewriteRow(tx, caller, undo, earlier.id, written)
  const row = { ...earlier.row, ...written }
  if (isByRow) {
    await byRow.follow?.({ tx, caller, live: app.live, plan: "revert", row })
    return []
  }
  const rest = Object.entries(earlier.before).filter(([name]) => !(name in written))
  // Without further columns, the route is called all the same: it checks the right to change the object, and publishes it.
  const before = Object.fromEntries(rest)
  return undo.revert([{ ...earlier, before, row }], { sql: tx, caller, now: app.clock.now() })
}

/** The first value that each column had. */
export function earliest({ parts }: ActionObject): Columns {
  return Object.assign({}, ...parts.map(({ before }) => before ?? {}).toReversed()) as Columns
}

export async function remove(undo: Undo, kind: AuditedObject, group: readonly ActionObject[]): Promise<void> {
  const { byRow } = kind.undo
  const ids = group.map(({ objectId }) => objectId)
  if (!byRow || byRow.applies) return run(undo, kind.undo.remove(ids), group)
  const { app, tx, caller } = undo
  const rows = await readRows(tx, kind.undo, caller.organizationId, ids)
  for (const object of group) {
    const row = rows.get(object.objectId)
    if (row)
      await writeBack(undo, kind, object, async (step) => {
        requireRight(undo, byRow, row)
        await byRow.follow?.({ tx: step, caller, live: app.live, plan: "remove", row })
        await deleteRow(step, caller, kind.undo, object.objectId)
        return []
      })
    else if (!kind.undo.isPart) leaveAlone(undo, object, "It no longer exists")
  }
}

interface BulkReply {
  tasks?: { status: boolean; message: string; _id?: string }[]
  message?: string
}

/** Objects that several calls change are done when all of them succeeded. */
async function run(undo: Undo, steps: readonly UndoStep[], group: readonly ActionObject[]): Promise<void> {
  const refusals = new Map<string, string>()
  const touched = new Set<string>()
  for (const call of steps) {
    for (const id of call.ids) touched.add(id)
    const refused = await runCall(undo, call)
    for (const [id, reason] of refused) refusals.set(id, reason)
  }
  for (const object of group) {
    const reason = refusals.get(object.objectId)
    if (reason !== undefined) leaveAlone(undo, object, reason)
    else if (touched.has(object.objectId)) undo.undone.done += 1
  }
}

async function runCall({ app, tx, caller, address }: Undo, call: UndoStep): Promise<Map<string, string>> {
  const origin = currentTrace()?.origin
  const all = (reason: string) => new Map(call.ids.map((id) => [id, reason]))
  if ("refusal" in call) return all(call.refusal)
  try {
    return await inTransaction(tx, async (step) => {
      const { statusCode, body } = await callRoute(app, { caller, tx: step, address, origin }, call)
      const { tasks, message } = (body ?? {}) as BulkReply
      if (statusCode >= 400) throw new Refused(message ?? `Status ${statusCode}`)
      const refused = (tasks ?? []).flatMap(({ status, message: reason, _id }): [string, string][] =>
        status || _id === undefined ? [] : [[_id, reason]],
      )
      return new Map(refused)
    })
  } catch (error) {
    if (error instanceof Refused) return all(error.message)
    throw error
  }
}

class Refused extends Error {}
