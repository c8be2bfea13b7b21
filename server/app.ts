import type { FastifyContextConfig, RouteOptions } from "fastify"
import type { DomainEventListener } from "./core/domain-events.ts"
import { eventStreamRoutes } from "./core/events/stream-routes.ts"
import { limitBody } from "./core/http/limits/body-kinds.ts"
import { registerDescriptionRoutes, registerOpenApi } from "./core/http/openapi/openapi.ts"
import { createServer, type Dependencies, registerApi } from "./core/http/server.ts"
import type { App } from "./core/http/types.ts"
import type { Job } from "./core/jobs/define-job.ts"
import { failedJobRoutes } from "./core/jobs/failed-job-routes.ts"
import { housekeepingJobs } from "./core/jobs/housekeeping.ts"
import { fileViewRoutes, signedFileRoutes } from "./core/objects/file-routes.ts"
import { looseFileJobs } from "./core/objects/loose-files.ts"
import type { Sealing } from "./core/security/sealing.ts"
import type { Restorer } from "./core/trash.ts"
import { errorTables } from "./error-tables.ts"
import { appIntegrationRoutes, sealStoredIntegrations } from "./features/extensions/app-integrations/index.ts"
import {
  automationJobs,
  automationRestorer,
  automationRoutes,
  enqueueAutomations,
  eventFeedRoutes,
  sealStoredAutomations,
} from "./features/extensions/automations/index.ts"
import { customModuleRoutes, moduleFrameRoutes } from "./features/extensions/custom-modules/index.ts"
import { pluginFrameRoutes, pluginNarrowing, pluginRoutes } from "./features/extensions/plugins/index.ts"
import { exportConfigRoutes } from "./features/files/export-configurations/index.ts"
import { exportJobs, exportRoutes } from "./features/files/exports/index.ts"
import { importJobs, importRoutes } from "./features/files/imports/index.ts"
import { fileOwners } from "./features/files/stored-files/index.ts"
import { deviceRoutes } from "./features/location/devices/index.ts"
import { geofenceJobs, geofenceRoutes, lookAroundSoon } from "./features/location/geofences/index.ts"
import { mapJobs, mapRoutes, mapTileRoutes } from "./features/location/maps/index.ts"
import {
  deleteOrganizationPositions,
  latestPositions,
  locationJobs,
  locationRoutes,
} from "./features/location/positions/index.ts"
import { auditLogRoutes } from "./features/organization/audit-log/index.ts"
import { type EmitOfHub, hubRestorer, hubRoutes } from "./features/organization/hubs/index.ts"
import { mailJobs, outboxRoutes, sealStoredMails } from "./features/organization/mails/index.ts"
import { onboardingJobs, onboardingRoutes } from "./features/organization/onboarding/index.ts"
import { organizationDataRoutes } from "./features/organization/organization-data/index.ts"
import {
  areFilesPublic,
  organizationJobs,
  organizationRoutes,
} from "./features/organization/organizations/index.ts"
import { trashRoutes } from "./features/organization/trash/index.ts"
import { authenticatorRoutes, sealStoredAuthenticators } from "./features/people/accounts/index.ts"
import { membershipRoutes } from "./features/people/memberships/index.ts"
import { passwordPolicyRoutes } from "./features/people/password-policies/index.ts"
import { isPolicyUsed, roleRestorer, roleRoutes, touchRolesOfPolicy } from "./features/people/roles/index.ts"
import { sessionJobs, sessionRoutes } from "./features/people/sessions/index.ts"
import { singleSignOnJobs, singleSignOnRoutes } from "./features/people/single-sign-on/index.ts"
import { teamRestorer, teamRoutes } from "./features/people/teams/index.ts"
import { tokenRoutes } from "./features/people/tokens/index.ts"
import { type PersonHooks, userRestorer, userRoutes } from "./features/people/users/index.ts"
import { capacityConstraintRoutes } from "./features/planning/capacity-constraints/index.ts"
import { roadRoutes } from "./features/planning/roads/index.ts"
import {
  actualRoutes,
  adjustRoutes,
  calculateRoutes,
  configurationRoutes,
  dispatchRoutes,
  geoRoutes,
  lastResultChangeInHub,
  planRoutes,
  resultRestorer,
  resultRoutes,
  routingJobs,
} from "./features/planning/routes/index.ts"
import { consoleRoutes } from "./features/platform/console/routes.ts"
import { consoleSettingsRoutes } from "./features/platform/console/settings-routes.ts"
import { currencyRoutes } from "./features/platform/currency/index.ts"
import { dashboardRoutes } from "./features/platform/dashboard/index.ts"
import { dataVersionRoutes, type LastChange } from "./features/platform/data-version/index.ts"
import { healthRoutes } from "./features/platform/health/routes.ts"
import { privacyPolicyRoutes } from "./features/platform/privacy-policies/index.ts"
import { versionRoutes } from "./features/platform/versions/index.ts"
import { activityRoutes } from "./features/work/activities/index.ts"
import {
  dataSourceChangedAt,
  emitRecordsOfDeletedHub,
  recordJobs,
  recordRestorer,
  recordRoutes,
} from "./features/work/data-records/index.ts"
import { dataTypeRestorer, dataTypeRoutes, sealStoredProviders } from "./features/work/data-types/index.ts"
import { flowRestorer, flowRoutes } from "./features/work/flows/index.ts"
import {
  renameInSchedules,
  scheduleJobs,
  scheduleRestorer,
  scheduleRoutes,
} from "./features/work/task-schedules/index.ts"
import {
  emitTasksOfHub,
  findRepeatedRefs,
  holdRestoredRefs,
  lastTaskChangeInHub,
  releaseAssignee,
  renameAssignee,
  taskJobs,
  taskRestorer,
  taskRoutes,
} from "./features/work/tasks/index.ts"
import { templateRoutes } from "./features/work/templates/index.ts"
import { renameInVehicles, vehicleRestorer, vehicleRoutes } from "./features/work/vehicles/index.ts"
import { workflowRoutes } from "./features/work/workflows/index.ts"
import { openApiTexts } from "./openapi-texts.ts"
import { packOrganization } from "./operate/organization-archive.ts"
import { version } from "./version.ts"

/** The table of contents: every feature with the module code of its refusals. */
function features(api: App): void {
  feature(api, "auth", sessionRoutes, { body: "account" })
  feature(api, "auth", singleSignOnRoutes, { body: "account" })
  feature(api, "auth", tokenRoutes, { body: "account" })
  feature(api, "user", onboardingRoutes, { body: "account" })
  feature(api, "user", authenticatorRoutes, { body: "account" })
  feature(api, "user", (app) => userRoutes(app, personHooks(app)))
  feature(api, "org", membershipRoutes, { body: "account" })
  feature(api, "org", (app) =>
    organizationRoutes(app, { onDeletion: [deleteOrganizationPositions], findRepeatedRefs }),
  )
  feature(api, "org", outboxRoutes)
  feature(api, "org", auditLogRoutes)
  feature(api, "orgdt", organizationDataRoutes)
  feature(api, "passp", (app) => passwordPolicyRoutes(app, { isPolicyUsed, touchRolesOfPolicy }))
  feature(api, "priv", privacyPolicyRoutes, { body: "document" })
  feature(api, "curr", currencyRoutes)
  feature(api, "team", teamRoutes)
  feature(api, "role", roleRoutes)
  feature(api, "hub", (scope) => hubRoutes(scope, contentsOfDeletedHub))
  feature(api, "flow", flowRoutes, { body: "document" })
  feature(api, "dtype", dataTypeRoutes, { body: "document" })
  feature(api, "data", recordRoutes, { body: "document" })
  feature(api, "import", importRoutes)
  feature(api, "lochi", (app) => locationRoutes(app, lookAroundSoon))
  feature(api, "lochi", (app) => deviceRoutes(app, lookAroundSoon))
  feature(api, "lochi", geofenceRoutes)
  feature(api, "map", mapRoutes)
  feature(api, "sched", scheduleRoutes, { body: "document" })
  feature(api, "task", exportRoutes)
  feature(api, "task", (scope) => taskRoutes(scope, latestPositions), { body: "document" })
  feature(api, "vehic", vehicleRoutes, { errorData: true })
  feature(api, "capac", capacityConstraintRoutes, { errorData: true })
  feature(api, "route", planRoutes)
  feature(api, "route", calculateRoutes)
  feature(api, "conf", configurationRoutes, { errorData: true })
  feature(api, "geo", geoRoutes)
  feature(api, "route", roadRoutes)
  feature(api, "reslt", resultRoutes, { errorData: true })
  feature(api, "reslt", adjustRoutes, { errorData: true })
  feature(api, "reslt", actualRoutes, { errorData: true })
  feature(api, "reslt", dispatchRoutes, { errorData: true })
  feature(api, "dash", dashboardRoutes)
  feature(api, "activ", activityRoutes)
  feature(api, "workf", workflowRoutes, { body: "document" })
  feature(api, "trash", (scope) => trashRoutes(scope, restorers))
  feature(api, "dver", (scope) => dataVersionRoutes(scope, lastChanges), { errorData: true })
  feature(api, "excfg", exportConfigRoutes)
  feature(api, "auto", automationRoutes)
  feature(api, "cmod", customModuleRoutes)
  feature(api, "templ", templateRoutes, { body: "document" })
  feature(api, "versn", versionRoutes)
  feature(api, "plugn", pluginRoutes)
  feature(api, "appin", appIntegrationRoutes)
  feature(api, "sys", eventStreamRoutes)
  feature(api, "sys", eventFeedRoutes)
  feature(api, "sys", failedJobRoutes)
  feature(api, "sys", (scope) => fileViewRoutes(scope, fileOwners, areFilesPublic))
  feature(api, "sys", consoleSettingsRoutes)
}

/** Events of what is deleted with a hub. */
const contentsOfDeletedHub: readonly EmitOfHub[] = [
  (tx, live, hub) => emitTasksOfHub(tx, live, hub, "onTaskDeleted"),
  emitRecordsOfDeletedHub,
]

/** Everything that runs in the background. */
export const jobs: readonly Job[] = [
  ...housekeepingJobs,
  ...looseFileJobs,
  ...mailJobs,
  ...sessionJobs,
  ...singleSignOnJobs,
  ...onboardingJobs,
  ...organizationJobs(packOrganization),
  ...taskJobs,
  ...scheduleJobs,
  ...recordJobs,
  ...importJobs,
  ...exportJobs,
  ...locationJobs,
  ...automationJobs,
  ...geofenceJobs,
  ...mapJobs,
  ...routingJobs,
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
  ])
    count += await sealStored(sealing)
  return count
}

/** What starts with an event, in its transaction. */
export const domainEventListeners: readonly DomainEventListener[] = [enqueueAutomations]

/** What else happens when a person leaves, or gets another e-mail. */
function personHooks(app: App): PersonHooks {
  return {
    onLeave: [
      (tx, caller, person) =>
        releaseAssignee(tx, caller, person.email, { now: app.clock.now(), live: app.live }),
    ],
    onEmailChange: [renameAssignee, renameInSchedules, renameInVehicles],
  }
}

/** How deleted things come back from the trash, by kind. */
export const restorers: readonly Restorer[] = [
  roleRestorer,
  userRestorer,
  hubRestorer(holdRestoredRefs, (tx, live, hub) => emitTasksOfHub(tx, live, hub, "onTaskCreated")),
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

/** What `GET /data-version` knows of. */
const lastChanges: Record<string, LastChange> = {
  tasks: lastTaskChangeInHub,
  routingResults: lastResultChangeInHub,
  dataSource: (sql, organizationId, hubId) => dataSourceChangedAt(sql, { organizationId }, hubId),
}

function feature(
  api: App,
  module: string,
  routes: (app: App) => void,
  settings: Pick<FastifyContextConfig, "errorData" | "body"> = {},
): void {
  api.register(async (scope) => {
    scope.addHook("onRoute", (route: RouteOptions) => {
      route.config = { module, ...settings, ...route.config }
      limitBody(route, api.settings)
    })
    routes(scope as unknown as App)
  })
}

/** The API alone, without its description and pages. */
export async function buildApi(dependencies: Dependencies): Promise<App> {
  const app = createServer(dependencies, errorTables)
  registerApi(app, dependencies, features, pluginNarrowing(dependencies.sql))
  return app
}

/** The whole HTTP side: the API under /api/v3, its description, health, files, the console. */
export async function buildApp(dependencies: Dependencies): Promise<App> {
  const app = createServer(dependencies, errorTables)
  await registerOpenApi(app, version, dependencies.config.publicUrl, openApiTexts())
  registerApi(app, dependencies, features, pluginNarrowing(dependencies.sql))
  app.register(async (scope) => healthRoutes(scope as unknown as App, dependencies))
  app.register(async (scope) => signedFileRoutes(scope as unknown as App))
  app.register(async (scope) => mapTileRoutes(scope as unknown as App))
  app.register(async (scope) => pluginFrameRoutes(scope as unknown as App))
  app.register(async (scope) => moduleFrameRoutes(scope as unknown as App))
  await registerDescriptionRoutes(app, errorTables)
  await consoleRoutes(app)
  return app
}
