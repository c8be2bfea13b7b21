import type { App } from "#core/http/types.ts"
import { scheduleBulkRoutes } from "./bulk-routes.ts"
import { scheduleCrudRoutes } from "./routes.ts"
import { scheduleRunRoutes } from "./runs/run-routes.ts"

export { auditedSchedule } from "./audited-schedule.ts"
export { scheduleJobs } from "./jobs.ts"
export { findSchedule, saveSchedule } from "./queries.ts"
export { renameInSchedules } from "./rename-person.ts"
export { scheduleRestorer } from "./restore-schedule.ts"
export { generateDueTasks } from "./runs/generate.ts"
export { upcomingRuns } from "./runs/upcoming-runs.ts"

export function scheduleRoutes(app: App): void {
  scheduleBulkRoutes(app)
  scheduleRunRoutes(app)
  scheduleCrudRoutes(app)
}
