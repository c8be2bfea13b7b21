import { removeUndoColumns } from "./core/audit-trail/undo-rows.ts"
import type { DomainEventListener } from "./core/domain-events.ts"
import type { Job } from "./core/jobs/define-job.ts"
import { housekeepingJobs } from "./core/jobs/housekeeping.ts"
import { looseFileJobs } from "./core/objects/loose-files.ts"
import type { Sealing } from "./core/security/sealing.ts"
import {
  customerMessageJobs,
  enqueueCustomerMessages,
  sealStoredChannels,
} from "./features/customers/messages/index.ts"
import { requestFormJobs } from "./features/customers/request-forms/index.ts"
import { trackingPageJobs } from "./features/customers/tracking-pages/index.ts"
import { alertJobs } from "./features/extensions/alerts/index.ts"
import {
  automationJobs,
  enqueueAutomations,
  sealStoredAutomations,
} from "./features/extensions/automations/index.ts"
import { exportJobs } from "./features/files/exports/index.ts"
import { importJobs } from "./features/files/imports/index.ts"
import { otherSystemJobs, sealStoredReadings } from "./features/files/other-systems/index.ts"
import { bookParts } from "./features/fleet/stock/index.ts"
import { noteFinishedTasks, upkeepJobs } from "./features/fleet/upkeep/index.ts"
import { parquetJobs } from "./features/insight/parquet/index.ts"
import { foldRollupsSoon, rollupJobs } from "./features/insight/rollups/index.ts"
import { reportScheduleJobs } from "./features/insight/schedules/index.ts"
import { geofenceJobs } from "./features/location/geofences/index.ts"
import { mapJobs } from "./features/location/maps/index.ts"
import { locationJobs } from "./features/location/positions/index.ts"
import { trackerJobs } from "./features/location/trackers/index.ts"
import { auditLogJobs } from "./features/organization/audit-log/index.ts"
import { mailJobs, sealStoredMails } from "./features/organization/mails/index.ts"
import { organizationJobs } from "./features/organization/organizations/index.ts"
import { sealStoredAuthenticators } from "./features/people/accounts/index.ts"
import { sealStoredIntegrations } from "./features/people/app-integrations/index.ts"
import { sessionJobs } from "./features/people/sessions/index.ts"
import { singleSignOnJobs } from "./features/people/single-sign-on/index.ts"
import { etaJobs, requestEstimates } from "./features/planning/eta/index.ts"
import { routingJobs } from "./features/planning/routes/index.ts"
import { slotJobs } from "./features/planning/slots/index.ts"
import { oauthJobs } from "./features/platform/oauth/index.ts"
import { onboardingJobs } from "./features/platform/onboarding/index.ts"
import { foldRecordCountsSoon, recordJobs } from "./features/work/data-records/index.ts"
import { sealStoredProviders } from "./features/work/data-types/index.ts"
import { noticeJobs, sealStoredPushKeys } from "./features/work/notices/index.ts"
import { scheduleJobs } from "./features/work/task-schedules/index.ts"
import { foldTaskCountsSoon, taskJobs } from "./features/work/tasks/index.ts"
import { packOrganization } from "./operate/organization-archive.ts"

/** Everything that runs in the background. */
export const jobs: readonly Job[] = [
  ...housekeepingJobs,
  ...looseFileJobs,
  ...mailJobs,
  ...sessionJobs,
  ...singleSignOnJobs,
  ...oauthJobs,
  ...onboardingJobs,
  ...organizationJobs(packOrganization),
  ...auditLogJobs,
  ...taskJobs,
  ...noticeJobs,
  ...trackingPageJobs,
  ...requestFormJobs,
  ...customerMessageJobs,
  ...scheduleJobs,
  ...recordJobs,
  ...importJobs,
  ...otherSystemJobs,
  ...exportJobs,
  ...locationJobs,
  ...alertJobs,
  ...automationJobs,
  ...trackerJobs,
  ...geofenceJobs,
  ...mapJobs,
  ...routingJobs,
  ...etaJobs,
  ...slotJobs,
  ...upkeepJobs,
  ...rollupJobs,
  ...reportScheduleJobs,
  ...parquetJobs,
]

/** Seals stored secrets that are readable or under an older key; runs at every start, counts what it changed. */
export async function sealStoredSecrets(sealing: Sealing): Promise<number> {
  let count = 0
  for (const sealStored of [
    sealStoredAutomations,
    sealStoredIntegrations,
    sealStoredProviders,
    sealStoredAuthenticators,
    sealStoredMails,
    sealStoredChannels,
    sealStoredPushKeys,
    sealStoredReadings,
  ])
    count += await sealStored(sealing)
  if (count > 0) await removeUndoColumns(sealing.sql)
  return count
}

/** What starts with an event, in its transaction. */
export const domainEventListeners: readonly DomainEventListener[] = [
  enqueueAutomations,
  enqueueCustomerMessages,
  requestEstimates,
  noteFinishedTasks,
  bookParts,
  foldTaskCountsSoon,
  foldRollupsSoon,
  foldRecordCountsSoon,
]
