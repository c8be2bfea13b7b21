import { type Caller, may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { type ActionObject, listActionObjects, readRows } from "#core/audit-trail/action-objects.ts"
import type { AuditedObject, Columns, Earlier, UndoStep } from "#core/audit-trail/audited-object.ts"
import { type EntryRow, findEntry } from "#core/audit-trail/entries.ts"
import type { Sight } from "#core/audit-trail/visible-parts.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { callRoute } from "#core/http/internal-calls.ts"
import type { App } from "#core/http/types.ts"
import { currentTrace } from "#core/telemetry/trace-context.ts"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { findDeleted, restoreFromTrash } from "../trash/index.ts"
import { auditErrors } from "./errors.ts"

export const undoMinutes = 10
const objectsPerCall = 2_000

export interface UndoOptions {
  objects: readonly AuditedObject[]
  restorers: readonly Restorer[]
}

export interface LeftAlone {
  objectType: string
  objectId: string
  objectName: string | null
  reason: string
}

export interface Undone {
  done: number
  leftAlone: LeftAlone[]
  /** Send it as `before` to go on; null when everything was looked at. */
  next: number | null
}

interface Undo {
  app: App
  tx: Tx
  caller: Caller
  address: string
  options: UndoOptions
  undone: Undone
}

/** Kinds that follow from what is undone, and are no object that people would miss. */
const silent = new Set(["import", "permission"])

/**
 * Gives the objects of an action their earlier state back, by the operations that people use and with the rights of the
 * caller. What has been changed since is left alone. A large action takes several calls.
 */
export async function undoAction(
  app: App,
  sql: Sql,
  request: { caller: Caller; actionId: string; before: number | undefined; address: string },
  options: UndoOptions,
): Promise<Undone> {
  const { caller, address } = request
  const origin = currentTrace()?.origin
  if (origin) origin.details = { ...origin.details, undoes: request.actionId.toLowerCase() }
  return inTransaction(sql, async (tx) => {
    const entry = await lockEntry(tx, { caller, objects: options.objects }, request.actionId, app.clock.now())
    const objects = await listActionObjects(tx, caller.organizationId, entry.id, {
      before: request.before,
      limit: objectsPerCall + 1,
    })
    const page = objects.slice(0, objectsPerCall)
    const next = objects.length > objectsPerCall ? (page.at(-1)?.lastNumber ?? null) : null
    const undo: Undo = { app, tx, caller, address, options, undone: { done: 0, leftAlone: [], next } }
    await undoObjects(undo, page)
    await audit(tx, actorOf(caller, address), {
      action: "action.undo",
      targetType: entry.targetType,
      targetId: entry.targetId,
      targetName: entry.targetName,
      after: { undoes: entry.id, done: undo.undone.done, leftAlone: undo.undone.leftAlone.length },
    })
    return undo.undone
  })
}

async function lockEntry(
  tx: Tx,
  { caller, objects }: Sight,
  actionId: string,
  now: Temporal.Instant,
): Promise<EntryRow> {
  // Two people who undo at once: the second one finds what the first one did.
  await tx`select pg_advisory_xact_lock(hashtextextended(${actionId.toLowerCase()}, 0))`
  const entry = await findEntry(tx, { caller, objects }, actionId)
  if (!entry) throw auditErrors.notFound()
  if (Temporal.Instant.compare(entry.time.add({ minutes: undoMinutes }), now) < 0) throw auditErrors.tooLate()
  return entry
}

async function undoObjects(undo: Undo, page: readonly ActionObject[]): Promise<void> {
  const kinds = new Map(undo.options.objects.map((kind) => [kind.type, kind]))
  const open = page.filter((object) => {
    if (silent.has(object.objectType)) return false
    const reason = object.isChangedSince
      ? "It has been changed since"
      : kinds.has(object.objectType)
        ? undefined
        : "Changes of this type cannot be undone"
    if (reason !== undefined) leaveAlone(undo, object, reason)
    return reason === undefined
  })
  const groups = Map.groupBy(await undoLeading(undo, open), planOf)
  // What others belong to comes back first, and goes last.
  const ordered = [...kinds.values()]
  for (const [plan, run, order] of [
    ["restore", restore, ordered],
    ["revert", revert, ordered],
    ["remove", remove, ordered.toReversed()],
  ] as const) {
    const ofType = Map.groupBy(groups.get(plan) ?? [], ({ objectType }) => objectType)
    for (const kind of order) {
      const group = ofType.get(kind.type)
      if (group) await run(undo, kind, group)
    }
  }
}

/** Undoes objects whose own undoing covers others of the action; returns what remains to be undone. */
async function undoLeading(undo: Undo, open: readonly ActionObject[]): Promise<readonly ActionObject[]> {
  let rest = open
  for (const kind of undo.options.objects) {
    const { alsoUndoes } = kind.undo
    const leading = rest.filter((object) => object.objectType === kind.type && planOf(object) === "revert")
    if (!alsoUndoes || leading.length === 0) continue
    rest = rest.filter((object) => !leading.includes(object))
    const { length } = undo.undone.leftAlone
    await revert(undo, kind, leading)
    if (undo.undone.leftAlone.length > length) continue
    const covered = rest.filter(({ objectType }) => alsoUndoes.includes(objectType))
    undo.undone.done += covered.length
    rest = rest.filter((object) => !covered.includes(object))
  }
  return rest
}

function planOf({ parts }: ActionObject): "restore" | "revert" | "remove" | "nothing" {
  const [isMade, isGone] = [parts[0]?.change === "create", parts.at(-1)?.change === "delete"]
  if (isMade) return isGone ? "nothing" : "remove"
  return isGone ? "restore" : "revert"
}

function leaveAlone(
  { undone }: Undo,
  { objectType, objectId, objectName }: ActionObject,
  reason: string,
): void {
  undone.leftAlone.push({ objectType, objectId, objectName, reason })
}

async function restore(undo: Undo, kind: AuditedObject, group: readonly ActionObject[]): Promise<void> {
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
        for (const call of kind.undo.afterRestore?.(object.objectId, object.parts.at(-1)?.before ?? {}) ?? [])
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

/** Inserts what was deleted without the trash, then sends it through the route that changes it, which checks and publishes it. */
async function putBack(undo: Undo, kind: AuditedObject, group: readonly ActionObject[]): Promise<void> {
  const { app, tx, caller } = undo
  const { table, putBack: how, revert: change } = kind.undo
  const now = app.clock.now()
  for (const object of group) {
    const id = object.objectId
    if (!how || (how.permission && !may(caller, how.permission))) {
      leaveAlone(undo, object, how ? trashErrors.forbidden().message : "It was not kept; create it again")
      continue
    }
    const kept = { updated_time: now.toString(), ...object.parts.at(-1)?.before }
    const row: Columns = { ...kept, ...how.complete?.(kept), organization_id: caller.organizationId }
    try {
      await inTransaction(tx, async (step) => {
        await restoreRows(step, caller, table, [row])
        const steps = await change([{ id, before: {}, row, parts: object.parts }], { sql: step, caller, now })
        for (const call of steps)
          for (const reason of (await runCall({ ...undo, tx: step }, call)).values())
            throw new Refused(reason)
      })
      undo.undone.done += 1
    } catch (error) {
      if (!(error instanceof AppError || error instanceof Refused)) throw error
      leaveAlone(undo, object, error.message)
    }
  }
}

async function revert(undo: Undo, kind: AuditedObject, group: readonly ActionObject[]): Promise<void> {
  const { tx, caller } = undo
  const ids = group.map(({ objectId }) => objectId)
  const rows = await readRows(tx, kind.undo, caller.organizationId, ids)
  const earlier = group.flatMap((object): Earlier[] => {
    const row = rows.get(object.objectId)
    if (!row) leaveAlone(undo, object, "It no longer exists")
    return row ? [{ id: object.objectId, before: earliest(object), row, parts: object.parts }] : []
  })
  await run(undo, await kind.undo.revert(earlier, { sql: tx, caller, now: undo.app.clock.now() }), group)
}

/** The first value that each column had. */
function earliest({ parts }: ActionObject): Columns {
  return Object.assign({}, ...parts.map(({ before }) => before ?? {}).toReversed()) as Columns
}

async function remove(undo: Undo, kind: AuditedObject, group: readonly ActionObject[]): Promise<void> {
  await run(undo, kind.undo.remove(group.map(({ objectId }) => objectId)), group)
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
