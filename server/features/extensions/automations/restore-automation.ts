import { type Restorer, restoreRows, rowOf, showRows } from "#core/trash.ts"
import { checkScopes } from "./needed-permissions.ts"
import { type AutomationRow, automationColumns } from "./queries.ts"
import { toWireDeleted } from "./wire.ts"

const restored = { is_active: false, paused_time: null, pause_reason: null }

/** Restores an automation switched off, to avoid surprises. The person who restores it becomes its owner. */
export const automationRestorer: Restorer = {
  type: "Automation",
  dataType: "automations",
  viewPermission: "view/automation",
  permission: "add/automation",
  show: showRows<AutomationRow>("automations", automationColumns, toWireDeleted),
  async restore(tx, caller, { content }) {
    await restoreRows(tx, caller, "automations", [
      { ...rowOf(content), ...restored, owner_id: caller.userId },
    ])
    const [row] = await tx<AutomationRow[]>`
      select ${automationColumns(tx)} from automations
      where organization_id = ${caller.organizationId} and id = ${String(rowOf(content).id)}`
    if (row) checkScopes(caller, row)
  },
}
