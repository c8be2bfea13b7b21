import { coreErrors, type ErrorTable } from "./core/errors.ts"
import { trashErrors } from "./core/trash.ts"
import { feedbackErrors } from "./features/customers/feedback/errors.ts"
import { messageErrors as customerMessageErrors } from "./features/customers/messages/errors.ts"
import { reportErrors } from "./features/customers/reports/errors.ts"
import { requestFormErrors } from "./features/customers/request-forms/errors.ts"
import { trackingPageErrors } from "./features/customers/tracking-pages/errors.ts"
import { alertErrors } from "./features/extensions/alerts/errors.ts"
import { automationErrors } from "./features/extensions/automations/errors.ts"
import { customModuleErrors } from "./features/extensions/custom-modules/routes.ts"
import { pluginErrors } from "./features/extensions/plugins/errors.ts"
import { exportConfigErrors } from "./features/files/export-configurations/errors.ts"
import { dataExportErrors, taskExportErrors } from "./features/files/exports/errors.ts"
import { importErrors } from "./features/files/imports/errors.ts"
import { otherSystemErrors } from "./features/files/other-systems/errors.ts"
import { stockErrors } from "./features/fleet/stock/errors.ts"
import { equipmentErrors } from "./features/fleet/upkeep/equipment/errors.ts"
import { maintenanceErrors } from "./features/fleet/upkeep/maintenance/errors.ts"
import { meterErrors } from "./features/fleet/upkeep/meters/errors.ts"
import { insightErrors } from "./features/insight/reports/index.ts"
import { deviceErrors } from "./features/location/devices/errors.ts"
import { geofenceErrors } from "./features/location/geofences/areas/errors.ts"
import { mapErrors } from "./features/location/maps/index.ts"
import { placeErrors } from "./features/location/places/index.ts"
import { locationErrors } from "./features/location/positions/errors.ts"
import { trackerErrors } from "./features/location/trackers/index.ts"
import { auditErrors } from "./features/organization/audit-log/errors.ts"
import { hubErrors } from "./features/organization/hubs/errors.ts"
import { organizationDataErrors } from "./features/organization/organization-data/entries.ts"
import { organizationErrors } from "./features/organization/organizations/errors.ts"
import { accountErrors } from "./features/people/accounts/errors.ts"
import { integrationErrors } from "./features/people/app-integrations/errors.ts"
import { policyErrors } from "./features/people/password-policies/errors.ts"
import { preferenceErrors } from "./features/people/preferences/index.ts"
import { roleErrors } from "./features/people/roles/errors.ts"
import { viewErrors } from "./features/people/saved-views/index.ts"
import { sessionErrors } from "./features/people/sessions/errors.ts"
import { teamErrors } from "./features/people/teams/errors.ts"
import { tokenErrors } from "./features/people/tokens/errors.ts"
import { userErrors } from "./features/people/users/errors.ts"
import { capacityErrors } from "./features/planning/capacity-constraints/routes.ts"
import { deskErrors } from "./features/planning/dispatch-desk/index.ts"
import { momentErrors } from "./features/planning/moments/errors.ts"
import {
  configurationErrors,
  geoErrors,
  resultErrors,
  routeErrors,
} from "./features/planning/routes/errors.ts"
import { slotErrors } from "./features/planning/slots/errors.ts"
import { currencyErrors } from "./features/platform/currency/currencies.ts"
import { dashboardErrors } from "./features/platform/dashboard/days.ts"
import { oauthErrors } from "./features/platform/oauth/errors.ts"
import { privacyErrors } from "./features/platform/privacy-policies/routes.ts"
import { scimErrors } from "./features/platform/scim/errors.ts"
import { versionErrors } from "./features/platform/versions/queries.ts"
import { calendarErrors } from "./features/work/calendars/errors.ts"
import { dataErrors } from "./features/work/data-records/errors.ts"
import { dataTypeErrors } from "./features/work/data-types/errors.ts"
import { flowErrors } from "./features/work/flows/errors.ts"
import { messageErrors } from "./features/work/messages/index.ts"
import { noticeErrors } from "./features/work/notices/index.ts"
import { scheduleErrors } from "./features/work/task-schedules/errors.ts"
import { taskErrors } from "./features/work/tasks/errors.ts"
import { templateErrors } from "./features/work/templates/queries.ts"
import { vehicleErrors } from "./features/work/vehicles/errors.ts"
import { workflowErrors } from "./features/work/workflows/errors.ts"

/** Every table of errors, for the list of error codes. Where tables share a code of a missing object, the first one has its message. */
export const errorTables: readonly ErrorTable[] = [
  coreErrors,
  feedbackErrors,
  insightErrors,
  reportErrors,
  customerMessageErrors,
  trackingPageErrors,
  requestFormErrors,
  trashErrors,
  sessionErrors,
  userErrors,
  locationErrors,
  taskErrors,
  dataErrors,
  customModuleErrors,
  integrationErrors,
  pluginErrors,
  automationErrors,
  capacityErrors,
  routeErrors,
  resultErrors,
  configurationErrors,
  geoErrors,
  slotErrors,
  currencyErrors,
  privacyErrors,
  preferenceErrors,
  viewErrors,
  deskErrors,
  dashboardErrors,
  oauthErrors,
  scimErrors,
  versionErrors,
  taskExportErrors,
  dataExportErrors,
  importErrors,
  otherSystemErrors,
  exportConfigErrors,
  deviceErrors,
  trackerErrors,
  geofenceErrors,
  alertErrors,
  momentErrors,
  mapErrors,
  placeErrors,
  dataTypeErrors,
  flowErrors,
  messageErrors,
  noticeErrors,
  workflowErrors,
  templateErrors,
  scheduleErrors,
  calendarErrors,
  vehicleErrors,
  meterErrors,
  maintenanceErrors,
  equipmentErrors,
  stockErrors,
  auditErrors,
  hubErrors,
  organizationDataErrors,
  organizationErrors,
  teamErrors,
  policyErrors,
  roleErrors,
  tokenErrors,
  accountErrors,
]
