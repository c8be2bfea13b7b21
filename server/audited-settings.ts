import type { AreaShape } from "#packages/geodesy/area.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { type AuditedObject, type Columns, toBody } from "./core/audit-trail/audited-object.ts"
import { rowObject } from "./core/audit-trail/row-object.ts"
import { pick, settingsObject, settingsOnce } from "./core/audit-trail/settings-object.ts"
import { geometryOf } from "./features/location/geofences/index.ts"
import { isVisibleView } from "./features/people/saved-views/index.ts"

/* How changes of roles, automations, places and settings are undone: by the routes that change them. */

/** What people and work belong to: it comes back before them. */
export const auditedGroups: readonly AuditedObject[] = [
  settingsObject({
    ...{ type: "password-policy", table: "password_policies", path: "/password-policy", view: "view/role" },
    body: (row) => toBody(row),
    putBack: { permission: "edit/role" },
  }),
  // What a custom tool brings, and the roles that have it.
  rowObject({
    ...{ type: "permission", table: "custom_permissions", idColumn: "name", view: "view/role", isPart: true },
    permissions: ["edit/organization"],
  }),
  settingsObject({
    ...{ type: "role", table: "roles", path: "/role", view: "view/role", trashType: "Role" },
    body: ({ permission_names, ...row }) => ({
      ...toBody(pick(row, ["name", "permission_details", "password_policy_id"])),
      permissionList: permission_names,
    }),
    byRow: { permissions: ["edit/organization"], applies: changesOnlyTools },
  }),
  settingsObject({
    ...{ type: "team", table: "teams", path: "/team", view: "view/team", trashType: "Team" },
    columns: ["name", "hub_id"],
  }),
  settingsObject({
    ...{ type: "data-type", table: "data_types", path: "/data-type", view: "view/dataType" },
    ...{ method: "PATCH", trashType: "Data Type", columns: ["name", "fields", "limit_user"] },
  }),
]

export const auditedSettings: readonly AuditedObject[] = [
  settingsObject({
    ...{ type: "automation", table: "automations", path: "/automation", view: "view/automation" },
    trashType: "Automation",
    body: ({ details, ...row }) => ({
      ...toBody(pick(row, ["name", "event", "automation_type", "rules", "is_active"])),
      automationDetails: details,
    }),
    refuse: ({ details }, row) =>
      hasAllHeaders(details, row.details) ? undefined : "Its headers are secret and were not kept",
    // It comes back switched off.
    afterRestore: (id, { is_active }) =>
      is_active === true
        ? [{ method: "PATCH", path: `/automation/${id}`, body: { isActive: true }, ids: [id] }]
        : [],
  }),
  settingsObject({
    ...{ type: "alert-rule", table: "alert_rules", path: "/alert-rule", view: "view/automation" },
    columns: ["name", "hub_id", "kind", "settings", "is_active"],
    putBack: { permission: "add/automation" },
  }),
  settingsObject({
    ...{ type: "geofence", table: "geofences", path: "/geofence", view: "view/tracking" },
    body: ({ group_name: group, shape, ...row }) => ({
      ...toBody(pick(row, ["name", "color", "hub_id"])),
      ...geofenceBody(shape as AreaShape),
      group,
    }),
    // The route computes the box around it.
    putBack: { permission: "edit/hub", complete: () => ({ area: "(0,0),(0,0)" }) },
  }),
  settingsObject({
    ...{ type: "geotag", table: "routing_geotags", path: "/geotagging", view: "view/configuration" },
    method: "PATCH",
    body: ({ ring, ...row }) => ({
      ...toBody(pick(row, ["name", "color", "is_active"])),
      geoTaggingCoordinate: (ring as LngLat[]).map(formatLatLng),
    }),
    putBack: { permission: "edit/configuration" },
  }),
  settingsObject({
    ...{ type: "routing-configuration", table: "routing_configurations", path: "/configuration" },
    view: "view/configuration",
    body: ({ name, settings }) => ({ ...(settings as Columns), name }),
    putBack: { permission: "edit/configuration" },
  }),
  settingsObject({
    ...{ type: "capacity-constraint", table: "capacity_constraints", path: "/capacity-constraint" },
    view: "view/configuration",
    columns: ["name", "capacity_constraint"],
    putBack: { permission: "edit/constraint" },
  }),
  settingsObject({
    ...{ type: "export-configuration", table: "export_configs", path: "/export-config" },
    view: "view/exportConfig",
    columns: ["name", "description", "collection", "flow_ids", "fields", "filters", "format", "schedule"],
    putBack: { permission: "add/exportConfig" },
  }),
  settingsObject({
    ...{ type: "saved-view", table: "saved_views", path: "/view", isVisible: isVisibleView },
    columns: ["list", "name", "content", "visibility", "team_id"],
    putBack: {},
  }),
  settingsObject({
    ...{ type: "report-schedule", table: "report_schedules", path: "/report-schedule" },
    view: "view/dashboard",
    body: ({ settings, name, is_active: isActive }) => ({ ...(settings as Columns), name, isActive }),
    putBack: { permission: "view/dashboard" },
  }),
  settingsObject({
    ...{ type: "message-channel", table: "message_channels", path: "/customer-message-channel" },
    view: "edit/organization",
    body: ({ settings, ...row }) => ({
      ...(settings as Columns),
      ...toBody(pick(row, ["name", "kind", "preset", "is_active", "daily_cap"])),
      cost: Number(row.cost),
    }),
    putBack: { permission: "edit/organization" },
  }),
  settingsObject({
    ...{ type: "message-template", table: "message_templates", path: "/customer-message-template" },
    view: "edit/organization",
    columns: ["event", "channel_id", "hub_id", "flow_id", "language", "subject", "body", "is_active"],
    putBack: { permission: "edit/organization" },
  }),
  settingsObject({
    ...{ type: "request-form", table: "request_forms", path: "/request-form", view: "edit/organization" },
    columns: ["name", "hub_id", "flow_id", "is_active", "settings"],
    putBack: { permission: "edit/organization" },
    unrouted: ["round"],
  }),
  settingsObject({
    ...{ type: "custom-module", table: "custom_modules", path: "/custom-module", view: "edit/organization" },
    columns: ["name", "label", "type", "url"],
    putBack: { permission: "edit/organization" },
  }),
  settingsObject({
    ...{ type: "equipment", table: "equipment", path: "/equipment", view: "view/vehicle" },
    body: ({ lng: lon, ...row }) => ({
      ...toBody(pick(row, ["hub_id", "code", "name", "kind", "customer", "address", "lat", "note"])),
      lon,
    }),
    putBack: { permission: "edit/vehicle" },
  }),
  settingsObject({
    ...{ type: "maintenance-plan", table: "maintenance_plans", path: "/maintenance-plan" },
    view: "view/vehicle",
    body: (row) => ({
      ...toBody(pick(row, ["name", "every_days", "remind_days", "flow_id", "is_active"])),
      ...{ everyKilometers: per(row.every_meters, 1000), remindKilometers: per(row.remind_meters, 1000) },
      ...{ everyHours: per(row.every_seconds, 3600), remindHours: per(row.remind_seconds, 3600) },
    }),
    putBack: { permission: "edit/vehicle" },
    unrouted: ["done_on", "done_meters", "done_seconds", "read_at"],
  }),
  settingsObject({
    ...{ type: "stock-item", table: "stock_items", path: "/stock-item", view: "view/vehicle" },
    columns: ["code", "name", "unit"],
    putBack: { permission: "edit/vehicle" },
  }),
  settingsOnce({
    ...{ type: "organization", table: "organizations", idColumn: "id", view: "view/organization" },
    path: (id) => `/organization/${id}`,
    body: ({ name: companyName, country_code: country, configuration, ...row }) => ({
      ...toBody(pick(row, ["language", "currency", "time_zone"])),
      ...(typeof country === "string" && { country }),
      companyName,
      configuration: { ...initialConfiguration, ...(configuration as Columns) },
    }),
    initial: {},
  }),
  settingsOnce({
    ...{ type: "location-settings", table: "location_settings", idColumn: "organization_id" },
    ...{ view: "edit/organization", path: () => "/location-settings", body: toBody },
    initial: { retentionDays: 365, onlyDuringSessions: false },
  }),
  settingsOnce({
    ...{ type: "tracking-page", table: "tracking_page_settings", idColumn: "organization_id" },
    ...{ view: "view/organization", path: () => "/tracking-page-settings", body: settingsOf },
    initial: { logo: null },
  }),
  settingsOnce({
    ...{ type: "message-settings", table: "message_settings", idColumn: "organization_id" },
    ...{ view: "edit/organization", path: () => "/customer-message-settings", body: settingsOf, initial: {} },
  }),
  settingsOnce({
    ...{ type: "report-settings", table: "report_settings", idColumn: "flow_id", view: "view/flow" },
    ...{ path: (id) => `/flow/${id}/report-settings`, body: settingsOf, initial: {} },
  }),
  settingsOnce({
    ...{ type: "insight-settings", table: "insight_settings", idColumn: "organization_id" },
    ...{ view: "view/dashboard", path: () => "/reports/settings", body: toBody },
    initial: { costs: { perSession: 0, perHour: 0, perKilometer: 0 }, targets: [] },
  }),
  settingsOnce({
    ...{ type: "audit-settings", table: "audit_settings", idColumn: "organization_id" },
    ...{ view: "edit/organization", path: () => "/audit-log/settings", body: toBody },
    initial: { retentionDays: 365 },
  }),
]

/** Secret values stay as they are; those of a header that has gone since are lost. */
function hasAllHeaders(earlier: unknown, now: unknown): boolean {
  const namesOf = (details: unknown) => new Set(Object.keys((details as { headers?: object }).headers ?? {}))
  return typeof earlier !== "object" || namesOf(earlier).isSubsetOf(namesOf(now))
}

/** Settings that an organization may not have had: a change adds keys and removes none. */
const initialConfiguration = {
  ...{ hubCountries: null, correctionMinutes: 0, positionConsent: false, quickReplies: [] },
  uniqueRefId: false,
}

function settingsOf({ settings }: Columns): object {
  return settings as Columns
}

function geofenceBody(shape: AreaShape): object {
  return {
    geometry: geometryOf(shape),
    radiusMeters: shape.kind === "circle" ? shape.radiusMeters : null,
    widthMeters: shape.kind === "corridor" ? shape.widthMeters : null,
  }
}

/** A number in a larger unit; null stays. */
function per(value: unknown, divisor: number): number | null {
  return value === null ? null : Number(value) / divisor
}

/** Tools of the organization that came, went or got another name: the right to see them follows. */
function changesOnlyTools(before: Columns, row: Columns): boolean {
  const [was, is] = [before.permission_names, row.permission_names]
  if (!Array.isArray(was) || !Array.isArray(is) || Object.keys(before).length > 1) return false
  const [old, now] = [new Set<unknown>(was), new Set<unknown>(is)]
  return [...old.symmetricDifference(now)].every((name) => String(name).startsWith("view/custom/"))
}
