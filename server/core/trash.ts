import type { Caller } from "./access/caller.ts"
import type { Tx } from "./database.ts"
import { newId } from "./ids.ts"

/** The kinds of things that the trash keeps, by the names people see. */
export const trashTypes = [
  "Schedule",
  "Role",
  "Task",
  "Flow",
  "Automation",
  "Routing Result",
  "Data",
  "Data Type",
  "User",
  "Vehicle",
  "Hub",
  "Team",
] as const
export type TrashType = (typeof trashTypes)[number]

export interface Discarded {
  type: TrashType
  name: string
  sourceId: string
  hubId?: string | null
  /** The whole row with what belongs to it: enough to put it back. */
  content: unknown
}

/** Keeps what is about to be deleted for 30 days, all of it in one statement. Call it in the transaction of the delete. */
export async function moveToTrash(tx: Tx, caller: Caller, discarded: readonly Discarded[]): Promise<void> {
  if (discarded.length === 0) return
  const column = <T>(read: (thing: Discarded) => T): T[] => discarded.map(read)
  await tx`
    insert into trash (organization_id, id, type, name, source_id, hub_id, content, deleted_by)
    select ${caller.organizationId}, id, type, name, source_id, hub_id, content::jsonb, ${caller.email}
    from unnest(${column(() => newId())}::text[], ${column(({ type }) => type)}::text[], ${column(({ name }) => name)}::text[],
      ${column(({ sourceId }) => sourceId)}::text[], ${column(({ hubId }) => hubId ?? null)}::text[],
      ${column(({ content }) => JSON.stringify(content ?? null))}::text[]
    ) as discarded (id, type, name, source_id, hub_id, content)`
}
