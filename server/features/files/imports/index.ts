import type { App } from "#core/http/types.ts"
import { monitoringRoutes } from "./monitoring-routes.ts"
import { uploadRoutes } from "./upload-routes.ts"

export { importJobs } from "./jobs.ts"
export { noteUndoneImport } from "./undo-import.ts"

export function importRoutes(app: App): void {
  uploadRoutes(app)
  monitoringRoutes(app)
}
