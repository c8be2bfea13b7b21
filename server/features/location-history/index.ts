import type { App } from "#core/http/types.ts"
import { changeRoutes } from "./change-routes.ts"
import { linkRoutes } from "./link-routes.ts"
import { positionRoutes } from "./position-routes.ts"
import { positionSource } from "./positions.ts"
import { createReadAudit } from "./read-audit.ts"
import { recalculateRoutes } from "./recalculate.ts"
import { recorderOf } from "./recorder.ts"
import { recordRoutes } from "./routes.ts"
import { settingRoutes } from "./setting-routes.ts"
import { trackRoutes } from "./track-routes.ts"
import { trackingRoutes } from "./tracking-routes.ts"

export { locationErrors } from "./errors.ts"
export { forgetOrganization } from "./forget-organization.ts"
export { locationJobs } from "./jobs.ts"
export { latestPositions } from "./latest-positions.ts"
export { checkKept, entryOf, type Keeping } from "./location-entry.ts"
export { moveOutlinesBack } from "./outline-hours.ts"
export type { Tenant } from "./people.ts"
export { plausiblePoints } from "./plausible-points.ts"
export { onPointsStored } from "./points-stored.ts"
export { listPositions, type WirePosition } from "./positions.ts"
export { recordEntries, type WriteContext } from "./record-entries.ts"
export { type Recorder, recorderOf } from "./recorder.ts"
export { refreshSessions } from "./sessions.ts"
export { retentionDays } from "./settings.ts"
export { arrivalRules, changedVisits, type Fence, type FenceVisit, fenceVisits } from "./track/geofence.ts"
export { isInSight } from "./visible-people.ts"

export function locationRoutes(app: App): void {
  const recorder = recorderOf(app.sql)
  app.live.addSource(positionSource(app.sql, () => app.clock.now()))
  const auditRead = createReadAudit()
  recordRoutes(app, recorder, auditRead)
  changeRoutes(app)
  linkRoutes(app)
  positionRoutes(app)
  recalculateRoutes(app)
  settingRoutes(app)
  trackRoutes(app, auditRead)
  trackingRoutes(app, auditRead)
}
