import type { App } from "#core/http/types.ts"
import { positionRoutes } from "./position-routes.ts"
import { positionSource } from "./positions.ts"
import { changeRoutes } from "./records/change-routes.ts"
import { recordRoutes } from "./routes.ts"
import { settingRoutes } from "./setting-routes.ts"
import { linkRoutes, type ShortenLink } from "./sharing/link-routes.ts"
import { createReadAudit } from "./sharing/read-audit.ts"
import type { OnPointsStored } from "./store/record-entries.ts"
import { recorderOf } from "./store/recorder.ts"
import { attendanceRoutes } from "./summary/attendance-routes.ts"
import { recalculateRoutes } from "./summary/recalculate.ts"
import { trackingRoutes } from "./summary/tracking-routes.ts"
import { trackImportRoutes } from "./track-import-routes.ts"
import { trackRoutes } from "./track-routes.ts"

export { boxOf } from "./box.ts"
export { deleteOrganizationPositions } from "./delete-organization-positions.ts"
export { locationErrors } from "./errors.ts"
export { locationJobs } from "./jobs.ts"
export { latestPositions, type SeenPerson, seenSince } from "./latest-positions.ts"
export { listPositions } from "./positions.ts"
export { positionsAt, recordedPositions } from "./positions-at.ts"
export { retentionDays } from "./settings.ts"
export type { ShortenLink } from "./sharing/link-routes.ts"
export { createReadAudit } from "./sharing/read-audit.ts"
export { findSharedPosition, type SharedPosition, sharedDayOf } from "./sharing/shared-position.ts"
export { isInSight, isVisible, visiblePeople } from "./sharing/visible-people.ts"
export { type DeviceAlarm, recentAlarms, storeAlarms } from "./store/device-alarms.ts"
export { checkKept, entryOf, type Retention } from "./store/location-entry.ts"
export {
  listPending,
  listRecentPending,
  lockPending,
  type PendingPerson,
  type RecentPerson,
  setPending,
} from "./store/pending.ts"
export { findMember, findMembersById, type Member, seesOthers, type Tenant } from "./store/people.ts"
export {
  type EntryOutcome,
  type OnPointsStored,
  recordEntries,
  type WriteContext,
} from "./store/record-entries.ts"
export { type Recorder, recorderOf } from "./store/recorder.ts"
export { refreshSessions } from "./store/sessions.ts"
export { type DrivenHour, drivenHours } from "./summary/driven-hours.ts"
export {
  type FinishedSession,
  skipSessionUse,
  type TimeSpan,
  uncountedSessions,
  type VehicleUse,
  writeSessionUse,
} from "./summary/session-use.ts"
export { plausiblePoints } from "./thinning/plausible-points.ts"
export type { AppSource } from "./thinning/point-codes.ts"
export { invalidateSimplifiedTracks } from "./thinning/simplify-hours.ts"
export {
  arrivalRules,
  changedVisits,
  type Fence,
  type FencePoint,
  type FenceVisit,
  fenceVisits,
} from "./track/geofence.ts"

/** `onPointsStored` is called soon after new points are committed; `shorten` creates short links to shared positions. */
export function locationRoutes(app: App, onPointsStored: OnPointsStored, shorten: ShortenLink): void {
  const recorder = recorderOf(app.sql)
  app.live.addSource(positionSource(app.sql, () => app.clock.now()))
  const auditRead = createReadAudit()
  recordRoutes(app, { recorder, onPointsStored }, auditRead)
  changeRoutes(app)
  linkRoutes(app, shorten)
  positionRoutes(app)
  recalculateRoutes(app)
  settingRoutes(app)
  trackRoutes(app, auditRead)
  trackImportRoutes(app, { recorder, onPointsStored })
  trackingRoutes(app, auditRead)
  attendanceRoutes(app, auditRead)
}
