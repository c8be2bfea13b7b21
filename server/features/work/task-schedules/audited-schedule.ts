import { type AuditedObject, eachById } from "#core/audit-trail/audited-object.ts"
import { visibleSchedules } from "./queries.ts"
import { scheduleRestorer } from "./restore-schedule.ts"

export const auditedSchedule: AuditedObject = {
  type: "schedule",
  viewPermission: "view/schedule",
  trashType: "Schedule",
  isVisible: (sql, caller, id) =>
    sql`exists (select from task_schedules s where ${visibleSchedules(sql, caller)} and s.id = ${id})`,
  undo: {
    table: "task_schedules",
    async revert(schedules, { sql, caller, now }) {
      const edited = schedules.filter(({ before }) =>
        Object.keys(before).some((column) => column !== "paused_time"),
      )
      const rows = edited.map(({ before, row }) => ({ ...row, ...before }))
      const shown = await scheduleRestorer.show(sql, caller, rows, { now })
      const paused = schedules.filter(({ before }) => "paused_time" in before)
      return [
        ...eachById(
          shown.map((schedule) => ({ id: schedule._id, schedule })),
          ({ id, schedule }) => ({ method: "PUT", path: `/task/schedule/${id}`, body: schedule }),
        ),
        ...eachById(paused, ({ id, before }) => ({
          method: "PUT",
          path: `/task/schedule/${id}/${before.paused_time === null ? "resume" : "pause"}`,
        })),
      ]
    },
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/task/schedule/${id}` }),
      ),
  },
}
