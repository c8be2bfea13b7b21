import { json, type Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import {
  aDataType,
  aFlow,
  aHub,
  anExportConfig,
  anImport,
  aPasswordPolicy,
  aRecord,
  aTask,
  aTeam,
  aToken,
  aUser,
  type Organization,
} from "./builders.ts"
import {
  aCustomModule,
  aMessageChannel,
  anAppIntegration,
  aPlugin,
  aReading,
  aTemplate,
  aVersion,
  aWebhook,
} from "./extension-builders.ts"
import { aCalendarFeed, aDeviceKey, aSession, aTracker, aTrackingLink } from "./location-builders.ts"
import { aResult } from "./routing-builders.ts"
import { aSchedule } from "./schedule-builder.ts"

async function aVehicle(sql: Pool, org: Organization): Promise<string> {
  const [hub, id] = [await aHub(sql, { org }), newId<"vehicle">()]
  await sql`insert into vehicles (organization_id, id, hub_id, name) values (${org.id}, ${id}, ${hub.id}, 'Van')`
  return id
}

/**
 * For every path parameter that the API has: something of the given organization, as its value in a path.
 * The tests that call every route fail on a parameter without an entry, so that none is missed.
 */
export const pathValues: Record<string, (sql: Pool, org: Organization) => Promise<string>> = {
  hubId: async (sql, org) => (await aHub(sql, { org })).id,
  teamId: async (sql, org) => (await aTeam(sql, { org, hub: await aHub(sql, { org }) })).id,
  userId: async (sql, org) => (await aUser(sql, { org, role: "planner" })).id,
  email: async (sql, org) => (await aUser(sql, { org, role: "planner" })).email,
  flowId: async (sql, org) => (await aFlow(sql, { org })).id,
  flowName: async (sql, org) => (await aFlow(sql, { org })).name,
  flowLogId: async () => "6a01c0ffee5de0b4a7710c11",
  taskId: async (sql, org) => (await aTask(sql, { org, hub: await aHub(sql, { org }) })).id,
  roleId: async (sql, org) => (await aUser(sql, { org, permissions: ["view/task"] })).roleId,
  exportConfigId: async (sql, org) => (await anExportConfig(sql, { org })).id,
  importId: async (sql, org) => (await anImport(sql, { org })).id,
  readingId: aReading,
  scheduleId: async (sql, org) => (await aSchedule(sql, { org })).id,
  actionId: async (sql, org) => {
    const id = newId<"action">()
    await sql`
      insert into audit_log (organization_id, id, actor_email, action, target_type)
      values (${org.id}, ${id}, ${org.owner.email}, 'task.update', 'task')`
    return id
  },
  scimTokenId: async (sql, org) => {
    const [hub, person, id] = [
      await aHub(sql, { org }),
      await aUser(sql, { org, permissions: [] }),
      newId<"scim-token">(),
    ]
    await sql`
      insert into scim_tokens (organization_id, id, hash, name, role_id, hub_id, created_by)
      values (${org.id}, ${id}, sha256(${id}::bytea), 'A directory', ${person.roleId}, ${hub.id}, ${org.owner.email})`
    return id
  },
  oauthClientId: async (sql, org) => {
    const id = newId<"oauth-client">()
    await sql`
      insert into oauth_clients (organization_id, id, name, redirect_uris, scopes, created_by)
      values (${org.id}, ${id}, 'A client', '{https://client.test/back}', '{view/task}', ${org.owner.email})`
    return id
  },
  oauthGrantId: async (sql, org) => {
    const id = newId<"oauth-grant">()
    await sql`
      insert into access_tokens (organization_id, hash, id, user_id, kind, name, client_id, grant_id, scopes, expires_at)
      values (${org.id}, sha256(${id}::bytea), ${newId()}, ${org.owner.id}, 'refresh', 'A client', 'fwc_x', ${id},
        '{view/task}', now() + interval '1 day')`
    return id
  },
  trashId: async (sql, org) => {
    const id = newId<"trash">()
    await sql`
      insert into trash (organization_id, id, type, name, source_id, content, deleted_by)
      values (${org.id}, ${id}, 'Task', 'A task', ${newId()}, '{}', ${org.owner.email})`
    return id
  },
  viewId: async (sql, org) => {
    const id = newId<"saved-view">()
    await sql`
      insert into saved_views (organization_id, id, list, name, content, visibility, owner_id)
      values (${org.id}, ${id}, 'tasks', 'Late', '{}', 'everyone', ${org.owner.id})`
    return id
  },
  vehicleId: aVehicle,
  capacityConstraintId: async (sql, org) => {
    const id = newId<"capacity-constraints">()
    await sql`
      insert into capacity_constraints (organization_id, id) values (${org.id}, ${id})
      on conflict (organization_id) do update set id = excluded.id`
    return id
  },
  feedbackId: async (sql, org) => {
    const [task, id] = [await aTask(sql, { org, hub: await aHub(sql, { org }) }), newId<"feedback">()]
    await sql`
      insert into customer_feedback (organization_id, id, task_id, hub_id, flow_id, kind, stars, created_time)
      select organization_id, ${id}, id, hub_id, flow_id, 'rating', 4, now() from tasks
      where organization_id = ${org.id} and id = ${task.id}`
    return id
  },
  formId: async (sql, org) => {
    const [hub, flow, id] = [await aHub(sql, { org }), await aFlow(sql, { org }), newId<"request-form">()]
    await sql`
      insert into request_forms (organization_id, id, name, hub_id, flow_id, code_hash, settings, created_time, updated_time)
      values (${org.id}, ${id}, 'Repairs', ${hub.id}, ${flow.id}, ${Buffer.from(id)},
        '{"fields": [{"id": "title", "isRequired": true, "isLong": false}]}', now(), now())`
    return id
  },
  requestId: async (sql, org) => {
    const [hub, flow, id] = [await aHub(sql, { org }), await aFlow(sql, { org }), newId<"task-request">()]
    await sql`
      insert into task_requests (organization_id, id, form_id, hub_id, flow_id, submission, code_hash, status, "values",
        language, created_time)
      values (${org.id}, ${id}, ${newId()}, ${hub.id}, ${flow.id}, ${Buffer.from(id)}, ${Buffer.from(id)}, 'pending', '{}',
        'en', now())`
    return id
  },
  channelId: async (sql, org) => (await aMessageChannel(sql, { org })).id,
  messageTemplateId: async (sql, org) => {
    const [channel, id] = [await aMessageChannel(sql, { org }), newId<"message-template">()]
    await sql`
      insert into message_templates (organization_id, id, event, channel_id) values (${org.id}, ${id}, 'planned', ${channel.id})`
    return id
  },
  messageId: async (sql, org) => {
    const [task, id] = [await aTask(sql, { org, hub: await aHub(sql, { org }) }), newId<"customer-message">()]
    await sql`
      insert into customer_messages (organization_id, id, task_id, hub_id, event, event_key, kind, channel_id, recipient,
        language, status, created_time, run_at, updated_time)
      select organization_id, ${id}, id, hub_id, 'done', 'done', 'sms', ${newId()}, '+628123456789', 'en', 'failed', now(),
        now(), now() from tasks where organization_id = ${org.id} and id = ${task.id}`
    return id
  },
  resultId: async (sql, org) => (await aResult(sql, { org })).id,
  proposalId: async (sql, org) => {
    const [result, id] = [await aResult(sql, { org }), newId<"proposal">()]
    await sql`
      insert into routing_proposals (organization_id, id, result_id, base_time, status, routing, input, changes, created_by, created_time)
      values (${org.id}, ${id}, ${result.id}, now(), 'open', '{}', '{}', '{}', ${org.owner.email}, now())`
    return id
  },
  slotId: async (sql, org) => {
    const [hub, id] = [await aHub(sql, { org }), newId<"slot">()]
    await sql`
      insert into appointment_slots (organization_id, id, offer_id, hub_id, starts_at, ends_at, status, held_until, lat, lng,
        service_minutes, tags, extra_seconds, extra_meters)
      values (${org.id}, ${id}, ${id}, ${hub.id}, now(), now() + interval '2 hours', 'held', now() + interval '10 minutes', 1, 2,
        10, '{}', 0, 0)`
    return id
  },
  version: async () => "0",
  configurationId: async (sql, org) => {
    const [hub, id] = [await aHub(sql, { org }), newId<"routing-configuration">()]
    await sql`
      insert into routing_configurations (organization_id, id, hub_id, name, settings) values (${org.id}, ${id}, ${hub.id}, 'Usual', '{}')`
    return id
  },
  geotagId: async (sql, org) => {
    const [hub, id] = [await aHub(sql, { org }), newId<"geotag">()]
    await sql`
      insert into routing_geotags (organization_id, id, hub_id, name, ring) values (${org.id}, ${id}, ${hub.id}, 'North', '[]')`
    return id
  },
  workflowId: async (sql, org) => {
    const id = newId<"workflow">()
    await sql`
      insert into workflows (organization_id, id, name, steps) values (${org.id}, ${id}, ${`Workflow ${id}`}, '[]')`
    return id
  },
  step: async () => "0",
  activityId: async (sql, org) => {
    const task = await aTask(sql, { org, hub: await aHub(sql, { org }) })
    await sql`update tasks set task_type = 'activityMaster' where organization_id = ${org.id} and id = ${task.id}`
    return task.id
  },
  forRenameFile: async () => "photo",
  jobId: async () => "1",
  identifier: async (sql, org) => {
    await sql`delete from organization_data where organization_id = ${org.id}`
    await sql`insert into organization_data (organization_id, id, name, data) values (${org.id}, ${newId()}, 'flags', '{}')`
    return "flags"
  },
  currencyId: async (sql, org) => {
    await sql`delete from currencies where organization_id = ${org.id}`
    const id = newId()
    await sql`
      insert into currencies (organization_id, id, country_code, symbol, iso, locale)
      values (${org.id}, ${id}, 'ZZZ', '¤', 'XXX', 'en')`
    return id
  },
  organizationId: async (_sql, org) => org.id,
  tokenId: async (sql, org) => (await aToken(sql, { person: org.owner })).id,
  policyId: async (sql, org) => (await aPasswordPolicy(sql, { org })).id,
  dataTypeId: async (sql, org) => (await aDataType(sql, { org })).id,
  dataTypeName: async (sql, org) => (await aDataType(sql, { org })).name,
  recordId: async (sql, org) =>
    (await aRecord(sql, { org, type: await aDataType(sql, { org, commonData: true }) })).id,
  dataId: async (sql, org) =>
    (await aRecord(sql, { org, type: await aDataType(sql, { org, commonData: true }) })).dataId,
  customModuleId: async (sql, org) => (await aCustomModule(sql, { org })).id,
  templateId: async (sql, org) => (await aTemplate(sql, { org })).id,
  versionId: async (sql) => (await aVersion(sql)).id,
  platform: async (sql) => (await aVersion(sql)).platform,
  pluginId: async (sql, org) => (await aPlugin(sql, { org })).id,
  appIntegrationId: async (sql, org) => (await anAppIntegration(sql, { org })).id,
  automationId: async (sql, org) => (await aWebhook(sql, { org })).id,
  logId: async (sql, org) => {
    const id = newId()
    await sql`
      insert into automation_log (organization_id, id, automation_id, origin, attempt, is_success, status_code, name, event,
        automation_type, data_type, details, url, request, response, reference_id, dispatched_time, started_time, finished_time)
      values (${org.id}, ${id}, ${(await aWebhook(sql, { org })).id}, 'event', 0, false, 500, 'Hook', 'onTaskCreated', 'webhook',
        'task', '{}', 'https://hooks.example/', '{}', '', ${newId()}, now(), now(), now())`
    return id
  },
  geofenceId: async (sql, org) => {
    const [hub, id] = [await aHub(sql, { org }), newId<"geofence">()]
    await sql`
      insert into geofences (organization_id, id, hub_id, name, color, shape, area, created_time, updated_time)
      values (${org.id}, ${id}, ${hub.id}, 'Yard', '#c7791a', '{"kind": "circle", "center": [5, 52], "radiusMeters": 200}',
        box(point(4.9, 51.9), point(5.1, 52.1)), now(), now())`
    return id
  },
  alertRuleId: async (sql, org) => {
    const [hub, id] = [await aHub(sql, { org }), newId<"alert-rule">()]
    await sql`
      insert into alert_rules (organization_id, id, hub_id, name, kind, settings, created_time, updated_time)
      values (${org.id}, ${id}, ${hub.id}, 'Too fast', 'speed', '{"kilometersPerHour": 90}', now(), now())`
    return id
  },
  equipmentId: async (sql, org) => {
    const [hub, id] = [await aHub(sql, { org }), newId<"equipment">()]
    await sql`
      insert into equipment (organization_id, id, hub_id, code, name, created_time, updated_time)
      values (${org.id}, ${id}, ${hub.id}, ${id}, 'Heat pump', now(), now())`
    return id
  },
  vehicleDefectId: async (sql, org) => {
    const [vehicleId, id] = [await aVehicle(sql, org), newId<"vehicle-defect">()]
    await sql`
      insert into vehicle_defects (organization_id, id, vehicle_id, audit_hub_id, task_id, component_id, name, value, found_by, found_at)
      select organization_id, ${id}, id, hub_id, ${newId()}, 'brakes', 'Brakes', 'Defect', ${org.owner.email}, now()
      from vehicles where organization_id = ${org.id} and id = ${vehicleId}`
    return id
  },
  maintenancePlanId: async (sql, org) => {
    const [vehicleId, id] = [await aVehicle(sql, org), newId<"maintenance-plan">()]
    await sql`
      insert into maintenance_plans (organization_id, id, vehicle_id, audit_hub_id, name, every_days, done_on, created_time,
        updated_time)
      values (${org.id}, ${id}, ${vehicleId}, (select hub_id from vehicles where organization_id = ${org.id} and id = ${vehicleId}), 'Inspection', 365, now(), now(), now())`
    return id
  },
  maintenanceEntryId: async (sql, org) => {
    const [vehicleId, id] = [await aVehicle(sql, org), newId<"maintenance-entry">()]
    await sql`
      insert into maintenance_entries (organization_id, id, vehicle_id, audit_hub_id, name, done_on, created_by, created_time)
      values (${org.id}, ${id}, ${vehicleId}, (select hub_id from vehicles where organization_id = ${org.id} and id = ${vehicleId}), 'New tyres', now(), ${org.owner.email}, now())`
    return id
  },
  stockItemId: async (sql, org) => {
    const id = newId<"stock-item">()
    await sql`
      insert into stock_items (organization_id, id, code, name, created_time, updated_time)
      values (${org.id}, ${id}, ${id}, 'Filter', now(), now())`
    return id
  },
  reportScheduleId: async (sql, org) => {
    const id = newId<"report-schedule">()
    await sql`
      insert into report_schedules (organization_id, id, owner_id, name, settings, created_time, updated_time)
      values (${org.id}, ${id}, ${org.owner.id}, 'On time', ${json(sql, {
        ...{ metrics: "finished", period: "lastWeek", every: "week", time: "07:00", files: ["csv"] },
        recipients: [org.owner.id],
      })}, now(), now())`
    return id
  },
  trackerId: async (sql, org) => (await aTracker(sql, { org, person: org.owner })).id,
  feedId: async (sql, org) => (await aCalendarFeed(sql, { org, person: org.owner })).id,
  deviceKeyId: async (sql, org) => (await aDeviceKey(sql, { org, person: org.owner })).id,
  linkId: async (sql, org) => (await aTrackingLink(sql, { org })).id,
  locationHistoryId: async (sql, org) => (await aSession(sql, { org, person: org.owner })).id,
}

/** Routes that return another status than 404 for a foreign id, as specified. `<METHOD> <pattern>`. */
export const foreignResponses: Record<string, number> = {
  "PUT /organization/:organizationId": 403,
  "GET /plugin/:pluginId": 403,
  "PUT /plugin/:pluginId": 403,
  "POST /plugin/:pluginId": 403,
  "PUT /plugin/:pluginId/installation": 403,
  "DELETE /plugin/:pluginId": 403,
  "GET /addon/:pluginId": 403,
  "PUT /addon/:pluginId": 403,
  "POST /addon/:pluginId": 403,
  "DELETE /addon/:pluginId": 403,
  "POST /task/photo/:forRenameFile": 400,
  "GET /activities/workflow/:workflowId": 200,
  // Maps belong to the installation: only its operator's organization manages them.
  "DELETE /map-regions/:mapRegion": 403,
  "POST /map-builds/:mapBuildId/cancel": 403,
  // A sample is no list of coordinates, and roads are of no organization.
  "GET /road/nearest/v1/:profile/:coordinates": 400,
  "GET /road/route/v1/:profile/:coordinates": 400,
  "GET /road/table/v1/:profile/:coordinates": 400,
  "GET /road/match/v1/:profile/:coordinates": 400,
  "GET /road/isochrone/v1/:profile/:coordinates": 400,
}

/** Bodies for routes whose smallest valid body does not follow from their schema. `<METHOD> <pattern>`. */
export const bodies: Record<string, unknown> = {
  "PUT /task/schedule/:scheduleId": {
    hubId: "6a01c0ffee5de0b4a7710c11",
    name: "Round",
    periode: "daily",
    startTime: "2031-01-01",
    endTime: "2031-12-31",
    schedules: [{ time: "06:30" }],
    flow: "Visit",
    task: {},
  },
  "PUT /version/:versionId": {
    platform: "Web",
    versionName: "v1.0.0",
    releaseTime: "2026-11-01 08:00:00",
    docUrl: "https://docs.example/",
    changeLog: "First",
    tags: ["web"],
  },
}
