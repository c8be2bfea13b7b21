import type { FastifyContextConfig, RouteOptions } from "fastify"
import { eventStreamRoutes } from "./core/events/stream-routes.ts"
import { limitBody } from "./core/http/limits/body-kinds.ts"
import { registerDescriptionRoutes, registerOpenApi } from "./core/http/openapi/openapi.ts"
import { createServer, type Dependencies, registerApi } from "./core/http/server.ts"
import { type App, inScope } from "./core/http/types.ts"
import { failedJobRoutes } from "./core/jobs/failed-job-routes.ts"
import { fileViewRoutes, signedFileRoutes } from "./core/objects/file-routes.ts"
import { errorTables } from "./error-tables.ts"
import {
  auditedObjects,
  hubHooks,
  lastChanges,
  onPointsStored,
  personHooks,
  publicPageHooks,
  restorers,
  shortenPositionLink,
} from "./feature-hooks.ts"
import { feedbackRoutes } from "./features/customers/feedback/index.ts"
import { customerMessageRoutes } from "./features/customers/messages/index.ts"
import { reportRoutes } from "./features/customers/reports/index.ts"
import { publicRequestRoutes, requestFormRoutes } from "./features/customers/request-forms/index.ts"
import { publicPageRoutes, trackingPageRoutes } from "./features/customers/tracking-pages/index.ts"
import { alertRoutes } from "./features/extensions/alerts/index.ts"
import { automationRoutes, eventFeedRoutes } from "./features/extensions/automations/index.ts"
import { customModuleRoutes, moduleFrameRoutes } from "./features/extensions/custom-modules/index.ts"
import { pluginFrameRoutes, pluginNarrowing, pluginRoutes } from "./features/extensions/plugins/index.ts"
import { exportConfigRoutes } from "./features/files/export-configurations/index.ts"
import { exportRoutes } from "./features/files/exports/index.ts"
import { importRoutes, noteUndoneImport } from "./features/files/imports/index.ts"
import { otherSystemRoutes } from "./features/files/other-systems/index.ts"
import { fileOwners } from "./features/files/stored-files/index.ts"
import { stockRoutes } from "./features/fleet/stock/index.ts"
import {
  defectRoutes,
  equipmentRoutes,
  fleetRoutes,
  maintenanceRoutes,
  meterRoutes,
} from "./features/fleet/upkeep/index.ts"
import { grafanaRoutes } from "./features/insight/grafana/index.ts"
import { parquetRoutes } from "./features/insight/parquet/index.ts"
import { insightRoutes } from "./features/insight/reports/index.ts"
import { reportScheduleRoutes } from "./features/insight/schedules/index.ts"
import { consentRoutes } from "./features/location/consents/index.ts"
import { deviceRoutes } from "./features/location/devices/index.ts"
import { geofenceAreaRoutes, geofenceRoutes } from "./features/location/geofences/index.ts"
import { mapRoutes, mapTileRoutes } from "./features/location/maps/index.ts"
import { placeRoutes } from "./features/location/places/index.ts"
import {
  deleteOrganizationPositions,
  latestPositions,
  locationRoutes,
} from "./features/location/positions/index.ts"
import { roadRoutes } from "./features/location/roads/index.ts"
import { trackerRoutes } from "./features/location/trackers/index.ts"
import { actionRoutes, auditLogRoutes } from "./features/organization/audit-log/index.ts"
import { hubRoutes } from "./features/organization/hubs/index.ts"
import { outboxRoutes } from "./features/organization/mails/index.ts"
import { organizationDataRoutes } from "./features/organization/organization-data/index.ts"
import { areFilesPublic, organizationRoutes } from "./features/organization/organizations/index.ts"
import { trashRoutes } from "./features/organization/trash/index.ts"
import { authenticatorRoutes, confirmPassword } from "./features/people/accounts/index.ts"
import { appIntegrationRoutes } from "./features/people/app-integrations/index.ts"
import { membershipRoutes } from "./features/people/memberships/index.ts"
import { passwordPolicyRoutes } from "./features/people/password-policies/index.ts"
import { preferenceRoutes } from "./features/people/preferences/index.ts"
import { isPolicyUsed, roleRoutes, touchRolesOfPolicy } from "./features/people/roles/index.ts"
import { savedViewRoutes } from "./features/people/saved-views/index.ts"
import { sessionRoutes } from "./features/people/sessions/index.ts"
import { singleSignOnRoutes } from "./features/people/single-sign-on/index.ts"
import { teamRoutes } from "./features/people/teams/index.ts"
import { tokenRoutes } from "./features/people/tokens/index.ts"
import { releaseMembers, setLanguageOfMembers, userRoutes } from "./features/people/users/index.ts"
import { capacityConstraintRoutes } from "./features/planning/capacity-constraints/index.ts"
import { dispatchDeskRoutes } from "./features/planning/dispatch-desk/index.ts"
import { estimateFields, readEstimates } from "./features/planning/eta/index.ts"
import { momentRoutes } from "./features/planning/moments/index.ts"
import {
  actualRoutes,
  adjustRoutes,
  calculateRoutes,
  configurationRoutes,
  dispatchRoutes,
  findResultName,
  geoRoutes,
  planRoutes,
  replanRoutes,
  resultRoutes,
} from "./features/planning/routes/index.ts"
import { slotRoutes } from "./features/planning/slots/index.ts"
import { consoleRoutes } from "./features/platform/console/routes.ts"
import { consoleSettingsRoutes } from "./features/platform/console/settings-routes.ts"
import { currencyRoutes } from "./features/platform/currency/index.ts"
import { dashboardRoutes } from "./features/platform/dashboard/index.ts"
import { dataVersionRoutes } from "./features/platform/data-version/index.ts"
import { healthRoutes } from "./features/platform/health/routes.ts"
import { mcpRoutes } from "./features/platform/mcp/index.ts"
import { oauthProtocolRoutes, oauthRoutes } from "./features/platform/oauth/index.ts"
import { newOrganizationRoutes, onboardingRoutes } from "./features/platform/onboarding/index.ts"
import { privacyPolicyRoutes } from "./features/platform/privacy-policies/index.ts"
import { scimPrefix, scimProtocolRoutes, scimTokenRoutes } from "./features/platform/scim/index.ts"
import { versionRoutes } from "./features/platform/versions/index.ts"
import { activityRoutes } from "./features/work/activities/index.ts"
import { calendarFeedRoutes, calendarRoutes } from "./features/work/calendars/index.ts"
import { recordRoutes, recordsOfType } from "./features/work/data-records/index.ts"
import { dataTypeRoutes } from "./features/work/data-types/index.ts"
import { findFlow, findFlowWithType, flowRoutes } from "./features/work/flows/index.ts"
import { messageRoutes } from "./features/work/messages/index.ts"
import { noticeRoutes } from "./features/work/notices/index.ts"
import { scheduleRoutes } from "./features/work/task-schedules/index.ts"
import { findRepeatedRefs, taskRoutes } from "./features/work/tasks/index.ts"
import { templateRoutes } from "./features/work/templates/index.ts"
import { vehicleRoutes } from "./features/work/vehicles/index.ts"
import { workflowRoutes } from "./features/work/workflows/index.ts"
import { openApiTexts } from "./openapi-texts.ts"
import { version } from "./version.ts"

/** The table of contents: every feature with its module code and its section of the API description. */
function features(api: App): void {
  feature(api, "auth", "Sign-in", sessionRoutes, { body: "account" })
  feature(api, "auth", "Single sign-on", (app) => singleSignOnRoutes(app, personHooks(app)), {
    body: "account",
  })
  feature(api, "auth", "Tokens", tokenRoutes, { body: "account" })
  feature(api, "user", "Sign-in", (app) => onboardingRoutes(app, personHooks(app)), { body: "account" })
  feature(api, "user", "Sign-in", authenticatorRoutes, { body: "account" })
  feature(api, "user", "Users", (app) => userRoutes(app, personHooks(app)))
  feature(api, "prefr", "Users", preferenceRoutes)
  feature(api, "view", "Users", savedViewRoutes)
  feature(api, "org", "Sign-in", membershipRoutes, { body: "account" })
  feature(api, "org", "Sign-in", newOrganizationRoutes, { body: "account" })
  feature(api, "org", "Organization", (app) =>
    organizationRoutes(app, {
      onDeletion: [deleteOrganizationPositions, releaseMembers],
      findRepeatedRefs,
      setLanguageOfMembers,
      confirmPassword,
    }),
  )
  feature(api, "org", "Organization", outboxRoutes)
  feature(api, "org", "Organization", (scope) => auditLogRoutes(scope, auditedObjects))
  feature(api, "audit", "Organization", (scope) =>
    actionRoutes(scope, { objects: auditedObjects, restorers, onUndone: noteUndoneImport }),
  )
  feature(api, "orgdt", "Organization data", organizationDataRoutes)
  feature(api, "passp", "Password policies", (app) =>
    passwordPolicyRoutes(app, { isPolicyUsed, touchRolesOfPolicy }),
  )
  feature(api, "priv", "Organization", privacyPolicyRoutes, { body: "document" })
  feature(api, "curr", "Currency", currencyRoutes)
  feature(api, "team", "Teams", teamRoutes)
  feature(api, "role", "Roles", (app) => roleRoutes(app, findFlow))
  feature(api, "hub", "Hubs", (scope) => hubRoutes(scope, hubHooks))
  feature(api, "flow", "Flows", flowRoutes, { body: "document" })
  feature(
    api,
    "dtype",
    "Data types",
    (app) => dataTypeRoutes(app, { records: recordsOfType, findFlowWithType }),
    {
      body: "document",
    },
  )
  feature(api, "data", "Data", recordRoutes, { body: "document" })
  feature(api, "import", "Imports", importRoutes)
  feature(api, "import", "Imports", otherSystemRoutes)
  feature(api, "lochi", "Locations", (app) => locationRoutes(app, onPointsStored, shortenPositionLink(app)))
  feature(api, "lochi", "Devices", (app) => deviceRoutes(app, onPointsStored))
  feature(api, "lochi", "Devices", trackerRoutes)
  feature(api, "lochi", "Locations", consentRoutes)
  feature(api, "lochi", "Locations", geofenceRoutes)
  feature(api, "geofn", "Geofences", geofenceAreaRoutes)
  feature(api, "map", "Maps", mapRoutes)
  feature(api, "place", "Places", placeRoutes)
  feature(api, "sched", "Task schedules", scheduleRoutes, { body: "document" })
  feature(api, "cal", "Calendars", calendarRoutes)
  feature(api, "task", "Exports", exportRoutes)
  feature(
    api,
    "task",
    "Tasks",
    (scope) => taskRoutes(scope, { latestPositions, progressFields: estimateFields }),
    { body: "document" },
  )
  feature(api, "messg", "Messages", (scope) => messageRoutes(scope, findResultName))
  feature(api, "notic", "Notices", noticeRoutes)
  feature(api, "trpag", "Tracking pages", trackingPageRoutes)
  feature(api, "cumsg", "Customer messages", customerMessageRoutes)
  feature(api, "reprt", "Service reports", (scope) => reportRoutes(scope, fileOwners))
  feature(api, "rform", "Request forms", requestFormRoutes)
  feature(api, "fdbck", "Customer feedback", feedbackRoutes)
  feature(api, "vehic", "Vehicles", vehicleRoutes, { errorData: true })
  feature(api, "meter", "Vehicles and equipment", meterRoutes)
  feature(api, "maint", "Vehicles and equipment", maintenanceRoutes)
  feature(api, "maint", "Vehicles and equipment", fleetRoutes)
  feature(api, "maint", "Vehicles and equipment", defectRoutes)
  feature(api, "equip", "Vehicles and equipment", equipmentRoutes)
  feature(api, "stock", "Vehicles and equipment", stockRoutes)
  feature(api, "capac", "Capacity constraints", capacityConstraintRoutes, { errorData: true })
  feature(api, "route", "Routes", planRoutes)
  feature(api, "route", "Routes", calculateRoutes)
  feature(api, "conf", "Route configurations", configurationRoutes, { errorData: true })
  feature(api, "geo", "Route configurations", geoRoutes)
  feature(api, "route", "Roads", roadRoutes)
  feature(api, "reslt", "Routes", resultRoutes, { errorData: true })
  feature(api, "reslt", "Routes", adjustRoutes, { errorData: true })
  feature(api, "reslt", "Routes", (scope) => actualRoutes(scope, readEstimates), { errorData: true })
  feature(api, "slot", "Appointment slots", slotRoutes, { body: "document" })
  feature(api, "reslt", "Routes", replanRoutes, { errorData: true })
  feature(api, "reslt", "Routes", dispatchRoutes, { errorData: true })
  feature(api, "desk", "Dispatch", dispatchDeskRoutes)
  feature(api, "momnt", "Dispatch", momentRoutes)
  feature(api, "dash", "Dashboard", dashboardRoutes)
  feature(api, "insgt", "Insight", insightRoutes)
  feature(api, "insgt", "Insight", grafanaRoutes)
  feature(api, "rpsch", "Insight", reportScheduleRoutes)
  feature(api, "anlyt", "Insight", parquetRoutes)
  feature(api, "activ", "Activities", activityRoutes)
  feature(api, "workf", "Workflows", workflowRoutes, { body: "document" })
  feature(api, "trash", "Trash", (scope) => trashRoutes(scope, restorers))
  feature(api, "dver", "Tasks", (scope) => dataVersionRoutes(scope, lastChanges), { errorData: true })
  feature(api, "excfg", "Export configurations", exportConfigRoutes)
  feature(api, "auto", "Automations", automationRoutes)
  feature(api, "alert", "Alerts", alertRoutes)
  feature(api, "cmod", "Custom modules", customModuleRoutes)
  feature(api, "templ", "Templates", templateRoutes, { body: "document" })
  feature(api, "versn", "Versions", versionRoutes)
  feature(api, "plugn", "Plugins", pluginRoutes)
  feature(api, "appin", "App integrations", appIntegrationRoutes)
  feature(api, "oauth", "App integrations", oauthRoutes, { body: "account" })
  feature(api, "scim", "App integrations", scimTokenRoutes, { body: "account" })
  feature(api, "sys", "Events", eventStreamRoutes)
  feature(api, "sys", "Events", eventFeedRoutes)
  feature(api, "sys", "Jobs", failedJobRoutes)
  feature(api, "sys", "Files", (scope) => fileViewRoutes(scope, fileOwners, areFilesPublic))
  feature(api, "sys", "Console", consoleSettingsRoutes)
}

function feature(
  api: App,
  module: string,
  tag: string,
  routes: (app: App) => void,
  settings: Pick<FastifyContextConfig, "errorData" | "body"> = {},
): void {
  inScope(api, (scope) => {
    scope.addHook("onRoute", (route: RouteOptions) => {
      route.config = { module, ...settings, ...route.config }
      if (route.schema?.operationId) route.schema.tags ??= [tag]
      limitBody(route, api.settings)
    })
    routes(scope)
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
  inScope(app, (scope) => healthRoutes(scope, dependencies))
  inScope(app, signedFileRoutes)
  inScope(app, mapTileRoutes)
  inScope(app, (scope) => publicPageRoutes(scope, publicPageHooks))
  inScope(app, publicRequestRoutes)
  inScope(app, calendarFeedRoutes)
  inScope(app, pluginFrameRoutes)
  inScope(app, moduleFrameRoutes)
  inScope(app, oauthProtocolRoutes)
  inScope(app, (scope) => scimProtocolRoutes(scope, personHooks), { prefix: scimPrefix })
  inScope(app, (scope) => mcpRoutes(scope, version))
  await registerDescriptionRoutes(app, errorTables)
  await consoleRoutes(app)
  return app
}
