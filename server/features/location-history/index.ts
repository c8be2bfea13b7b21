import type { App } from "#core/http/types.ts"
import { changeRoutes } from "./change-routes.ts"
import { linkRoutes } from "./link-routes.ts"
import { positionRoutes } from "./position-routes.ts"
import { positionSource } from "./positions.ts"
import { createRecorder } from "./recorder.ts"
import { recordRoutes } from "./routes.ts"

export { locationErrors } from "./errors.ts"
export { locationJobs } from "./jobs.ts"

export function locationRoutes(app: App): void {
  const recorder = createRecorder(app.sql)
  app.live.addSource(positionSource(app.sql, () => app.clock.now()))
  recordRoutes(app, recorder)
  changeRoutes(app)
  linkRoutes(app)
  positionRoutes(app)
}
