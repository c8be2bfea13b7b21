import type { AuditedObject, ByRow } from "./core/audit-trail/audited-object.ts"
import { forHolders, forOwner, rowObject } from "./core/audit-trail/row-object.ts"
import { settingsObject } from "./core/audit-trail/settings-object.ts"
import { seesAlert } from "./features/extensions/alerts/index.ts"
import { undoMovement } from "./features/fleet/stock/index.ts"
import { undoReading } from "./features/fleet/upkeep/index.ts"
import { undoRevocation } from "./features/people/tokens/index.ts"
import { undoScimTokenChange } from "./features/platform/scim/index.ts"
import { undoFeedChange } from "./features/work/calendars/index.ts"
import { undoMessage } from "./features/work/messages/index.ts"

/* Kinds that no route changes back, such as comments and readings of meters: their rows are written back as they were. */

const [organization, vehicles] = [["edit/organization"], ["edit/vehicle"]] as const

/** Only those who read everything see them of others: nothing says in which hub they are. */
const isHidden: AuditedObject["isVisible"] = (sql) => sql`false`

/** A token or key that was revoked works again, unless it has ended for another reason too, such as another password. */
const revocation: ByRow = {
  onlyActor: true,
  applies: (before) => "revoked_at" in before,
  refuse: (before, row) =>
    before.revoked_at === null && row.revoked_by === null
      ? "It has ended for another reason since"
      : undefined,
}

export const auditedRows: readonly AuditedObject[] = [
  rowObject({ type: "message", table: "messages", isVisible: isHidden, follow: undoMessage }),
  rowObject({
    ...{ type: "vehicle-reading", table: "vehicle_readings", view: "view/vehicle", permissions: vehicles },
    ...{ hub: "audit_hub_id", follow: undoReading },
  }),
  rowObject({
    ...{
      type: "maintenance-entry",
      table: "maintenance_entries",
      view: "view/vehicle",
      permissions: vehicles,
    },
    hub: "audit_hub_id",
  }),
  rowObject({
    ...{ type: "vehicle-defect", table: "vehicle_defects", view: "view/vehicle", permissions: vehicles },
    hub: "audit_hub_id",
  }),
  rowObject({
    ...{ type: "stock-movement", table: "stock_movements", view: "view/vehicle", permissions: vehicles },
    ...{ hub: "audit_hub_id", follow: undoMovement },
  }),
  rowObject({
    ...{
      type: "appointment",
      table: "appointment_slots",
      permissions: ["add/task", "edit/task"],
      hub: "hub_id",
    },
  }),
  rowObject({
    ...{
      type: "task-request",
      table: "task_requests",
      view: "add/task",
      permissions: ["add/task"],
      hub: "hub_id",
    },
  }),
  rowObject({
    ...{ type: "tracking-link", table: "tracking_links", isVisible: isHidden, permissions: ["edit/task"] },
  }),
  rowObject({ type: "location-link", table: "location_links", permissions: ["view/tracking"] }),
  rowObject({
    ...{ type: "alert", table: "alerts", view: "view/tracking", isVisible: seesAlert },
    permissions: ["view/tracking"],
  }),
  rowObject({
    ...{ type: "message-opt-out", table: "message_opt_outs", idColumn: "address", permissions: organization },
  }),
  rowObject({ type: "plugin", table: "plugins", permissions: organization }),
  rowObject({
    ...{ type: "plugin-installation", table: "plugin_installations", idColumn: "plugin_id" },
    permissions: organization,
  }),
  rowObject({
    ...{
      type: "privacy-policy",
      table: "privacy_policies",
      idColumn: "organization_id",
      permissions: organization,
    },
  }),
  rowObject({
    ...{ type: "road-speeds", table: "road_speeds", idColumn: "organization_id", permissions: organization },
  }),
  rowObject({ type: "currency", table: "currencies", permissions: organization }),
  rowObject({ type: "template", table: "templates", permissions: organization }),
  rowObject({ type: "organization-data", table: "organization_data", permissions: organization }),
  rowObject({ type: "workflow", table: "workflows", permissions: ["edit/workflow"] }),
  rowObject({
    ...{ type: "calendar-feed", table: "calendar_feeds", isVisible: forOwner("calendar_feeds") },
    ...{ permissions: ["view/task"], onlyActor: true, follow: undoFeedChange },
  }),
  rowObject({ type: "tracker", table: "trackers", isVisible: isHidden, permissions: ["edit/member"] }),
  rowObject({ type: "app-integration", table: "app_integrations", permissions: ["edit/integration"] }),
  rowObject({
    ...{ type: "oauth-client", table: "oauth_clients", isVisible: forHolders("view/integration") },
    ...{ permissions: ["edit/integration"], onlyActor: true },
  }),
  rowObject({
    ...{ type: "scim-token", table: "scim_tokens", isVisible: forHolders("view/integration") },
    ...{ onlyActor: true, follow: undoScimTokenChange },
  }),
  settingsObject({
    ...{ type: "token", table: "access_tokens", path: "/token", columns: ["name"] },
    isVisible: forOwner("access_tokens"),
    byRow: { ...revocation, permissions: ["token/manage-token"], follow: undoRevocation },
  }),
  settingsObject({
    ...{ type: "device-key", table: "device_keys", path: "/device-key", byRow: revocation },
    isVisible: forOwner("device_keys", "edit/member"),
  }),
  // The refresh token of the application.
  rowObject({ type: "oauth-grant", table: "access_tokens", ...revocation }),
]
