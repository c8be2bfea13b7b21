import { type Caller, may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { type Restored, type Restorer, type TrashEntry, trashErrors } from "#core/trash.ts"
import { listByIds, type Sight, takeTrash } from "./queries.ts"

export type RestoreContext = Parameters<Restorer["restore"]>[3]

/** Restores what the caller could read and may create. Throws what refuses it. */
export async function restoreFromTrash(
  tx: Tx,
  sight: Sight,
  trashId: string,
  context: RestoreContext,
): Promise<TrashEntry & Restored> {
  const { caller, kinds } = sight
  const entry = await takeTrash(tx, sight, trashId)
  if (!entry) throw trashErrors.notFound()
  const restorer = kinds.find(({ type }) => type === entry.type)
  if (!restorer) throw trashErrors.notRestorable()
  if (!may(caller, restorer.permission))
    throw trashErrors.forbidden({ message: `Your role lacks the permission ${restorer.permission}` })
  const outcome = (await restorer.restore(tx, caller, entry, context)) ?? {}
  return { ...entry, ...outcome }
}

/** Names the entry of the audit log after what was restored, however much that was. */
export async function noteRestored(
  tx: Tx,
  caller: Caller,
  restored: readonly TrashEntry[],
  address: string,
): Promise<void> {
  const [first, ...others] = restored
  if (!first) return
  await audit(tx, actorOf(caller, address), {
    action: "trash.restore",
    targetType: first.type,
    targetId: others.length > 0 ? null : first.sourceId,
    targetName: others.length > 0 ? namesOf(restored) : first.name,
  })
}

const maxNames = 5

function namesOf(restored: readonly TrashEntry[]): string {
  const names = restored.slice(0, maxNames).map(({ name }) => name)
  const rest = restored.length > maxNames ? ` … (${restored.length})` : ""
  return `${names.join(", ").slice(0, 200)}${rest}`
}

export const maxRestored = 1_000

/** What others belong to, first. */
const order = ["Hub", "Role", "Team", "User", "Data Type", "Flow"]

/** Restores many, each by itself; returns what became of each in the order sent. */
export async function restoreMany(
  tx: Tx,
  sight: Sight,
  trashIds: readonly string[],
  context: RestoreContext,
): Promise<{ _id: string; status: boolean; message: string }[]> {
  const types = await listByIds(tx, sight, trashIds)
  const rank = (id: string) => {
    const place = order.indexOf(types.get(id.toLowerCase()) ?? "")
    return place < 0 ? order.length : place
  }
  const outcomes = new Map<string, { status: boolean; message: string }>()
  const restored: TrashEntry[] = []
  for (const id of trashIds.toSorted((one, other) => rank(one) - rank(other)))
    try {
      const entry = await inTransaction(tx, (step) => restoreFromTrash(step, sight, id, context))
      const { type, note } = entry
      restored.push(entry)
      outcomes.set(id, { status: true, message: `${type} has been restored${note ? `: ${note}` : ""}` })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // A list may name an object twice.
      if (!outcomes.has(id)) outcomes.set(id, { status: false, message: error.message })
    }
  await noteRestored(tx, sight.caller, restored, context.address)
  return trashIds.map((_id) => ({ _id, ...(outcomes.get(_id) ?? { status: false, message: "" }) }))
}
