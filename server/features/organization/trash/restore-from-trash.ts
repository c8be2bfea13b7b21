import { may } from "#core/access/caller.ts"
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
  await audit(tx, actorOf(caller, context.address), {
    action: "trash.restore",
    targetType: entry.type,
    targetId: entry.sourceId,
    targetName: entry.name,
  })
  return { ...entry, ...outcome }
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
  for (const id of trashIds.toSorted((one, other) => rank(one) - rank(other)))
    try {
      const { type, note } = await inTransaction(tx, (step) => restoreFromTrash(step, sight, id, context))
      outcomes.set(id, { status: true, message: `${type} has been restored${note ? `: ${note}` : ""}` })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // A list may name an object twice.
      if (!outcomes.has(id)) outcomes.set(id, { status: false, message: error.message })
    }
  return trashIds.map((_id) => ({ _id, ...(outcomes.get(_id) ?? { status: false, message: "" }) }))
}
