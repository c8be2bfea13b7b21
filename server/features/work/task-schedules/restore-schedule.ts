import { type Restorer, restoreRows, showRows, trashErrors } from "#core/trash.ts"
import { publishSchedules } from "./events.ts"
import { lockSchedule, saveSchedule, scheduleColumns } from "./queries.ts"
import { replanned } from "./runs/next-run.ts"
import { type ScheduleRow, toWireSchedule } from "./wire.ts"

/**
 * Puts a deleted schedule back at a hub and with a flow that still exist. It goes on from now: what it would
 * have run meanwhile is not made up for. How its last run went comes back with it, the log of all runs not.
 */
export const scheduleRestorer: Restorer = {
  type: "Schedule",
  dataType: "schedules",
  viewPermission: "view/schedule",
  permission: "add/schedule",
  show: showRows<ScheduleRow>(
    "task_schedules",
    scheduleColumns,
    (row, _caller, now) => toWireSchedule(row, now),
    { alias: "s" },
  ),
  async restore(tx, caller, entry, { now, live }) {
    const content = entry.content as Record<string, unknown>
    const [parents] = await tx<{ hasHub: boolean; hasFlow: boolean }[]>`
      select
        exists (select from hubs where organization_id = ${caller.organizationId} and id = ${String(content.hub_id)}) as has_hub,
        exists (select from flows where organization_id = ${caller.organizationId} and id = ${String(content.flow_id)}) as has_flow`
    if (!parents?.hasHub)
      throw trashErrors.parentGone({ message: "The schedule's hub no longer exists. Restore it first" })
    if (!parents.hasFlow)
      throw trashErrors.parentGone({ message: "The schedule's flow no longer exists. Restore it first" })
    await restoreRows(tx, caller, "task_schedules", [content])
    const row = await lockSchedule(tx, { ...caller, hubs: "all" }, entry.sourceId)
    if (!row) throw new Error("a schedule vanished in the transaction that restored it")
    const restored = {
      ...replanned(row, now),
      version: row.version + 1,
      updatedBy: caller.email,
      updatedTime: now,
    }
    await saveSchedule(tx, restored)
    await publishSchedules(tx, live, "schedule.changed", [restored])
  },
}
