import { auditedRows } from "./audited-rows.ts"
import { auditedGroups, auditedSettings } from "./audited-settings.ts"
import type { AuditedObject } from "./core/audit-trail/audited-object.ts"
import type { App } from "./core/http/types.ts"
import type { Restorer } from "./core/trash.ts"
import {
  addOptOut,
  addressesOf,
  announceNewTime,
  hasOptedOut,
  removeOptOut,
} from "./features/customers/messages/index.ts"
import { makeReport } from "./features/customers/reports/index.ts"
import { type PublicPageHooks, shortLinkOf } from "./features/customers/tracking-pages/index.ts"
import { watchAlarmsSoon } from "./features/extensions/alerts/index.ts"
import { automationRestorer } from "./features/extensions/automations/index.ts"
import { lookAroundSoon } from "./features/location/geofences/index.ts"
import { type OnPointsStored, recorderOf, type ShortenLink } from "./features/location/positions/index.ts"
import {
  startTrackerServer,
  type TrackerServer,
  type TrackerServerOptions,
} from "./features/location/trackers/index.ts"
import { auditedHub, type HubHooks, hubRestorer } from "./features/organization/hubs/index.ts"
import { roleRestorer } from "./features/people/roles/index.ts"
import { teamRestorer } from "./features/people/teams/index.ts"
import { auditedUser, joinHubs, type PersonHooks, userRestorer } from "./features/people/users/index.ts"
import { estimateSoon } from "./features/planning/eta/index.ts"
import { auditedResult, lastResultChangeInHub, resultRestorer } from "./features/planning/routes/index.ts"
import type { LastChange } from "./features/platform/data-version/index.ts"
import { endFeeds } from "./features/work/calendars/index.ts"
import {
  auditedRecord,
  dataSourceChangedAt,
  discardRecordsOfHub,
  recordRestorer,
} from "./features/work/data-records/index.ts"
import { dataTypeRestorer } from "./features/work/data-types/index.ts"
import { auditedFlow, flowRestorer } from "./features/work/flows/index.ts"
import { endPush, renameInbox } from "./features/work/notices/index.ts"
import { auditedSchedule, renameInSchedules, scheduleRestorer } from "./features/work/task-schedules/index.ts"
import {
  auditedTask,
  lastTaskChangeInHub,
  releaseAssignee,
  removeTasksOfHub,
  renameAssignee,
  restoreTasksOfHub,
  taskRestorer,
} from "./features/work/tasks/index.ts"
import { auditedVehicle, renameInVehicles, vehicleRestorer } from "./features/work/vehicles/index.ts"

/* What features do for each other: none of them imports the other. */

/** What follows from new positions: arrivals at places, other estimates of the next ones, and alerts of alarms. */
export const onPointsStored: OnPointsStored = (sql, alarmed) => {
  lookAroundSoon(sql)
  estimateSoon(sql)
  if (alarmed !== undefined) watchAlarmsSoon(sql, alarmed)
}

/** What hubs need of people, tasks and records. */
export const hubHooks: HubHooks = {
  joinHubs,
  removeTasks: removeTasksOfHub,
  discardRecords: discardRecordsOfHub,
  restoreTasks: restoreTasksOfHub,
}

/** Short links to shared positions live with those of tasks. */
export function shortenPositionLink(app: App): ShortenLink {
  return async (sql, { organizationId, linkId, createdBy, expiresAt }, now) => {
    const target = { organizationId, kind: "position" as const, targetId: linkId, createdBy, expiresAt }
    return (await shortLinkOf({ sql, pool: app.sql, publicUrl: app.settings.publicUrl, now }, target)).url
  }
}

export const publicPageHooks: PublicPageHooks = {
  async hasOptedOut(sql, { organizationId, phoneCode }, contact) {
    const addresses = addressesOf(contact, phoneCode)
    return addresses.length === 0 ? null : hasOptedOut(sql, organizationId, addresses)
  },
  async setOptOut(sql, { organizationId, phoneCode }, contact, wantsNone, now) {
    const addresses = addressesOf(contact, phoneCode)
    if (wantsNone) await addOptOut(sql, organizationId, addresses, "link", now)
    else await removeOptOut(sql, organizationId, addresses)
  },
  onRescheduled: announceNewTime,
  async report({ sql, objects, links, clock, settings }, task, language) {
    return makeReport({ sql, objects, links, config: settings, now: clock.now() }, task, language)
  },
}

/** What else happens when a person leaves, gets another e-mail, or loses every way in. */
export function personHooks(app: App): PersonHooks {
  return {
    onLeave: [
      (tx, caller, person) =>
        releaseAssignee(tx, caller, person.email, { now: app.clock.now(), live: app.live }),
    ],
    onEmailChange: [renameAssignee, renameInSchedules, renameInVehicles, renameInbox],
    onAccessEnd: [endFeeds, endPush],
  }
}

/** How deleted things come back from the trash, by kind. */
export const restorers: readonly Restorer[] = [
  roleRestorer,
  userRestorer,
  hubRestorer(hubHooks),
  teamRestorer,
  taskRestorer,
  scheduleRestorer,
  vehicleRestorer,
  flowRestorer,
  dataTypeRestorer,
  recordRestorer,
  automationRestorer,
  resultRestorer,
]

/** Whose history people read, and whose changes can be undone; what others belong to comes first. */
export const auditedObjects: readonly AuditedObject[] = [
  auditedHub,
  ...auditedGroups,
  auditedUser,
  auditedFlow,
  auditedVehicle,
  auditedRecord,
  auditedTask,
  auditedSchedule,
  auditedResult,
  ...auditedSettings,
  ...auditedRows,
]

/** What `GET /data-version` knows of. */
export const lastChanges: Record<string, LastChange> = {
  tasks: lastTaskChangeInHub,
  routingResults: lastResultChangeInHub,
  dataSource: (sql, organizationId, hubId) => dataSourceChangedAt(sql, { organizationId }, hubId),
}

/** Listens for GPS trackers; their positions take the way of those that come through the API. */
export function startTrackers(
  options: Omit<TrackerServerOptions, "recorder" | "onPointsStored">,
): Promise<TrackerServer> {
  return startTrackerServer({
    ...options,
    recorder: recorderOf(options.pool),
    onPointsStored,
  })
}
