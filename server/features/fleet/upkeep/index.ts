import type { Job } from "#core/jobs/define-job.ts"
import { inspectionJobs } from "./inspections/create-inspections.ts"
import { maintenanceJobs } from "./maintenance/due-tasks.ts"
import { meterJobs } from "./meters/jobs.ts"
import { usageJobs } from "./usage/count-sessions.ts"

export { equipmentRoutes } from "./equipment/routes.ts"
export { noteFinishedTasks } from "./finished-tasks.ts"
export { listDuePlans } from "./fleet.ts"
export { fleetRoutes } from "./fleet-routes.ts"
export { type DefectRow, listOpenDefects } from "./inspections/defects.ts"
export { defectRoutes } from "./inspections/routes.ts"
export { maintenanceRoutes } from "./maintenance/routes.ts"
export { dayIn } from "./maintenance/today.ts"
export { meterRoutes } from "./meters/routes.ts"
export { undoReading } from "./meters/undo-reading.ts"

export const upkeepJobs: readonly Job[] = [...meterJobs, ...maintenanceJobs, ...inspectionJobs, ...usageJobs]
