/** Path parameters of what lies in a hub: without access to the hub there is nothing. */
export const acrossHubs: ReadonlySet<string> = new Set([
  "hubId",
  "teamId",
  "taskId",
  "activityId",
  "importId",
  "readingId",
  "scheduleId",
  "vehicleId",
  "equipmentId",
  "maintenancePlanId",
  "vehicleDefectId",
  "maintenanceEntryId",
  "resultId",
  "proposalId",
  "slotId",
  "configurationId",
  "geotagId",
  "linkId",
  "feedbackId",
  "formId",
  "geofenceId",
  "alertRuleId",
  "requestId",
  "messageId",
  "locationHistoryId",
  "recordId",
  "dataId",
  "trashId",
  "actionId",
])

const settings = "settings belong to the organization"
const people = "members of an organization see each other, teams aside"

/** Path parameters of what belongs to the organization as a whole, with the reason. */
export const organizationWide: Readonly<Record<string, string>> = {
  mapBuildId: "maps belong to the installation",
  mapRegion: "maps belong to the installation",
  profile: "roads belong to the installation",
  coordinates: "roads belong to the installation",
  organizationId: settings,
  userId: people,
  email: people,
  roleId: settings,
  flowId: settings,
  flowName: settings,
  flowLogId: settings,
  dataTypeId: settings,
  dataTypeName: settings,
  exportConfigId: settings,
  stockItemId: settings,
  capacityConstraintId: settings,
  workflowId: settings,
  step: "a number within a workflow",
  version: "a number within a result",
  forRenameFile: "the name of a file that is uploaded",
  jobId: "work of the organization, with edit/organization",
  identifier: settings,
  currencyId: settings,
  tokenId: "of the caller",
  reportScheduleId: "of its owner, and of administrators",
  viewId: "of its owner, shared with a team or with everyone",
  feedId: "of the caller",
  oauthClientId: settings,
  scimTokenId: settings,
  oauthGrantId: "of the caller",
  policyId: settings,
  customModuleId: settings,
  templateId: settings,
  channelId: settings,
  messageTemplateId: settings,
  versionId: "of the installation",
  platform: "of the installation",
  pluginId: settings,
  appIntegrationId: settings,
  automationId: "automations belong to the organization and act with the rights of their owner",
  logId: "checked by the object of the entry, see automations/owner.test.ts",
  deviceKeyId: "with edit/member, of any member",
  trackerId: "with edit/member, of any member; messages also need sight of the person",
}

/** Routes that the test in another hub leaves out, with the reason. */
export const untouchedByHub: Readonly<Record<string, string>> = {
  "DELETE /role/:roleId": "belongs to the organization; tried from another organization",
  "DELETE /scim-token/:scimTokenId": "belongs to the organization; tried from another organization",
}

/** Public routes that show what they are asked for, with the reason. */
export const publicShows: Readonly<Record<string, string>> = {
  "GET /task/public/:taskId": "anyone with the id of a task may follow it",
  "GET /auth/sso": "the sign-in page of an organization names it and its providers",
}

/** Routes that a personal access token cannot call, whatever its scopes. */
export const sessionOnly: Readonly<Record<string, string>> = {
  "POST /auth/switch-organization": "moves a session",
  "POST /auth/create-organization": "makes the person its owner",
}

/** What strangers leave behind by design: entries about failed sign-ins, and mails to the person. */
export const notedByPublicRoutes: readonly string[] = ["audit_log", "audit_parts", "mails"]

/**
 * Calls that the isolation check, which runs on installations in use, makes with an empty body: they would leave something
 * behind that does not go with the throw-away organizations, or send a mail.
 */
export const refusedByShape: Readonly<Record<string, string>> = {
  "POST /register": "makes an organization",
  "PUT /account": "completes an organization",
  "POST /auth/create-organization": "makes an organization",
  "POST /user": "sends a mail",
  "POST /user/invite": "sends a mail",
  "POST /user/invites": "sends a mail",
  "POST /user/reinvite": "sends a mail",
  "POST /version": "publishes to everybody",
  "POST /secret": "is kept beside organizations",
}
