import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { type ActionObject, listActionObjects } from "#core/audit-trail/action-objects.ts"
import type { AuditedObject } from "#core/audit-trail/audited-object.ts"
import { type EntryRow, findEntry } from "#core/audit-trail/entries.ts"
import type { Sight } from "#core/audit-trail/visible-parts.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { currentTrace } from "#core/telemetry/trace-context.ts"
import type { Restorer } from "#core/trash.ts"
import { auditErrors } from "./errors.ts"
import { earliest, leaveAlone, remove, restore, revert } from "./undo-objects.ts"

export const undoMinutes = 10
const objectsPerCall = 2_000

export interface UndoOptions {
  objects: readonly AuditedObject[]
  restorers: readonly Restorer[]
  /** An action of this target has been undone as a whole, or its undoing. */
  onUndone?(
    tx: Tx,
    target: { organizationId: string; type: string; id: string; now: Temporal.Instant },
  ): Promise<void>
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

export interface Undo {
  app: App
  tx: Tx
  caller: Caller
  entryId: string
  /** Who did what is undone. */
  actorId: string | null
  address: string
  options: UndoOptions
  undone: Undone
}

/** What follows from what is undone, and is no object that people would miss. */
const silent = new Set(["import"])

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
    const undo: Undo = {
      ...{ app, tx, caller, address, options },
      ...{ entryId: entry.id, actorId: entry.actorId },
      undone: { done: 0, leftAlone: [], next },
    }
    await undoObjects(undo, page)
    if (next === null && undo.undone.done > 0 && entry.targetId !== null)
      await options.onUndone?.(tx, {
        organizationId: caller.organizationId,
        type: entry.targetType,
        id: entry.targetId,
        now: app.clock.now(),
      })
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
    const { alsoUndoes, leads = () => true } = kind.undo
    const leading = rest.filter(
      (object) => object.objectType === kind.type && planOf(object) === "revert" && leads(earliest(object)),
    )
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
  // What goes with a row, such as the hubs of a person, is a change of it that comes after its end.
  const ends = parts.filter(({ change }) => change !== "update")
  const [isMade, isGone] = [ends[0]?.change === "create", ends.at(-1)?.change === "delete"]
  if (isMade) return isGone ? "nothing" : "remove"
  return isGone ? "restore" : "revert"
}
