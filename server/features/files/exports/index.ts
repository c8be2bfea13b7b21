import type { Job } from "#core/jobs/define-job.ts"
import { exportJobs as fileJobs } from "./jobs.ts"
import { runSchedules } from "./scheduled-exports.ts"

export { storeFile } from "./make-file.ts"
export { exportRoutes } from "./routes.ts"
export { whileConnected } from "./while-connected.ts"

export const exportJobs: readonly Job[] = [...fileJobs, runSchedules]
