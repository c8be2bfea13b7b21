import { Type } from "typebox"
import { Value } from "typebox/value"
import { publish } from "#core/events/publish.ts"
import { type Restorer, restoreRows, showRows, trashErrors } from "#core/trash.ts"
import { type HubRow, hubColumns, toWireHub } from "./queries.ts"
import type { HubHooks } from "./write-hub.ts"

const Row = Type.Record(Type.String(), Type.Unknown())
const Content = Type.Object({ hub: Row, tasks: Type.Array(Row) })

/**
 * Restores a deleted hub with its tasks and gives the caller the access of its creator. Its data records are separate
 * entries in the trash.
 */
export const hubRestorer = (hooks: Pick<HubHooks, "joinHubs" | "restoreTasks">): Restorer => ({
  type: "Hub",
  dataType: "hubs",
  viewPermission: "view/hub",
  permission: "add/hub",
  isVisible: (sql, caller) => (caller.isOwner ? sql`true` : sql`trash.deleted_by = ${caller.email}`),
  show: showRows<HubRow>("hubs", hubColumns, toWireHub, { key: "hub" }),
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "hubs", [content.hub])
    await hooks.restoreTasks(tx, live, { caller, hubId: sourceId }, content.tasks)
    await hooks.joinHubs(tx, caller, [sourceId])
    await publish(tx, live, "hub.changed", {
      organizationId: caller.organizationId,
      content: { hubId: sourceId },
    })
  },
})
