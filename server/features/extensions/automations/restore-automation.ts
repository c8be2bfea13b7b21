import { Type } from "typebox"
import { Value } from "typebox/value"
import { keptRows, type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { type AutomationRow, automationColumns } from "./queries.ts"
import { toWireDeleted } from "./wire.ts"

const Content = Type.Record(Type.String(), Type.Unknown())

const restored = { is_active: false, paused_time: null, pause_reason: null }

/** Restores an automation switched off, to avoid surprises. The person who restores it becomes its owner. */
export const automationRestorer: Restorer = {
  type: "Automation",
  dataType: "automations",
  viewPermission: "view/automation",
  permission: "add/automation",
  async show(sql, _caller, contents) {
    const rows = await sql<AutomationRow[]>`
      select ${automationColumns(sql)} from ${keptRows(sql, "automations", contents)}`
    return rows.map(toWireDeleted)
  },
  async restore(tx, caller, { content }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "automations", [{ ...content, ...restored, owner_id: caller.userId }])
  },
}
