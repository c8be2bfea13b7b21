import { Type } from "typebox"
import { Value } from "typebox/value"
import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { publish } from "#core/events/live-events.ts"
import { keptRows, type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { type HubRow, hubColumns, toWireHub } from "./queries.ts"
import type { EmitOfHub } from "./write-hub.ts"

const Row = Type.Record(Type.String(), Type.Unknown())
const Content = Type.Object({ hub: Row, tasks: Type.Array(Row) })

/**
 * Restores a deleted hub with its tasks and gives the caller the access of its creator. Its data records are separate
 * entries in the trash. `holdRefs` throws when its tasks have a `refId` that must stay unique, `emitRestored` emits the
 * events of its tasks.
 */
export const hubRestorer = (
  holdRefs: (tx: Tx, caller: Caller, refIds: string[]) => Promise<void>,
  emitRestored: EmitOfHub,
): Restorer => ({
  type: "Hub",
  dataType: "hubs",
  viewPermission: "view/hub",
  permission: "add/hub",
  isVisible: (sql, caller) => (caller.isOwner ? sql`true` : sql`trash.deleted_by = ${caller.email}`),
  async show(sql, caller, contents) {
    const hubs = contents.map(({ hub }) => hub)
    const rows = await sql<HubRow[]>`select ${hubColumns(sql, caller)} from ${keptRows(sql, "hubs", hubs)}`
    return rows.map((row) => toWireHub(row, caller))
  },
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    const refIds = content.tasks.flatMap(({ ref_id }) => (typeof ref_id === "string" ? [ref_id] : []))
    await holdRefs(tx, caller, refIds)
    await restoreRows(tx, caller, "hubs", [content.hub])
    await restoreRows(tx, caller, "tasks", content.tasks)
    await tx`
      insert into user_hubs (organization_id, user_id, hub_id)
      values (${caller.organizationId}, ${caller.userId}, ${sourceId}) on conflict do nothing`
    await emitRestored(tx, live, { organizationId: caller.organizationId, hubId: sourceId })
    await publish(tx, live, "hub.changed", {
      organizationId: caller.organizationId,
      content: { hubId: sourceId },
    })
  },
})
