import { may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import { type Restored, type Restorer, type TrashEntry, trashErrors } from "#core/trash.ts"
import { type Sight, takeTrash } from "./queries.ts"

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
