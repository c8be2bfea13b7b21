import assert from "node:assert/strict"
import { test } from "node:test"
import { newId } from "#core/ids.ts"
import { aFlow, aHub, aTask, aUser, type Organization } from "#samples/builders.ts"
import { pathValues } from "#samples/path-values.ts"
import { auditedObjects } from "../feature-hooks.ts"
import { type Calls, type Reply, type TestApp, testOrganization } from "./test-app.ts"

interface Step {
  name: string
  /** What must be there first. */
  prepare?(): Promise<unknown>
  /** The tables that it changes. */
  tables: readonly string[]
  act(): Promise<Reply>
  /** What it changes besides. */
  look?(): Promise<unknown>
  /** Those that do not follow when it is done again: nobody is notified twice. */
  once?: readonly string[]
  /** What was revoked stays so. */
  isFinal?: true
  /** Its undoing changes nothing that the audit trail notes. */
  isUndoneOnce?: true
}

/** Everything in some tables, without what every change sets, and secrets that are sealed anew. */
async function contentOf({ sql }: TestApp, org: Organization, tables: readonly string[]) {
  const rows = await Promise.all(
    tables.map(
      (table) => sql<{ row: Record<string, unknown> }[]>`
        select to_jsonb(t) - '{updated_time,updated_by,read_time,last_time,secrets}'::text[] as row from ${sql(table)} t
        where organization_id = ${org.id} order by to_jsonb(t)::text`,
    ),
  )
  return rows.map((of) => of.map(({ row }) => row))
}

async function walk(server: TestApp, org: Organization, steps: readonly Step[]): Promise<void> {
  const owner = server.as(org.owner)
  const undo = async (name: string, actionId: unknown) => {
    const reply = await owner.post(`/action/${String(actionId)}/undo`)
    assert.equal(reply.statusCode, 200, `${name}: ${reply.body}`)
    assert.deepEqual(reply.json().data.leftAlone, [], name)
    assert.ok(reply.json().data.done > 0, `${name}: nothing was undone`)
    return reply.headers["x-action-id"]
  }
  for (const { name, prepare, tables, once = [], act, look, isFinal, isUndoneOnce } of steps) {
    await prepare?.()
    const seen = await look?.()
    const before = await contentOf(server, org, [...tables, ...once])
    const reply = await act()
    assert.ok(reply.statusCode < 300, `${name}: ${reply.body}`)
    const after = await contentOf(server, org, [...tables, ...once])
    for (const [index, content] of after.entries()) assert.notDeepEqual(content, before[index], name)
    const changed = await look?.()
    if (look) assert.notEqual(changed, seen, name)
    const undone = await undo(name, reply.headers["x-action-id"])
    if (isFinal) continue
    assert.deepEqual(await contentOf(server, org, [...tables, ...once]), before, name)
    assert.equal(await look?.(), seen, name)
    if (isUndoneOnce) continue
    await undo(`${name}, again`, undone)
    assert.deepEqual(await contentOf(server, org, tables), after.slice(0, tables.length), `${name}, again`)
    assert.equal(await look?.(), changed, `${name}, again`)
  }
}

/** Calls that use what an earlier one made. */
function callsOf(me: Calls) {
  const made = new Map<string, string>()
  const create = async (path: string, body: object): Promise<Reply> => {
    const reply = await me.post(path, body)
    const json = reply.json()
    const { _id } = json.data ?? json.template ?? {}
    made.set(path, String(_id))
    return reply
  }
  return {
    create,
    of: (path: string) => `${path}/${made.get(path)}`,
    id: (path: string) => made.get(path) ?? "",
  }
}

const pages = [
  { id: "page0", components: [{ id: "title", component: "input", type: "String", title: "What" }] },
]
const secret = { "x-key": "very-secret" }

const channel = {
  ...{ name: "Gateway", kind: "sms", preset: "http", dailyCap: 50, secrets: { token: "first" } },
  request: {
    ...{ url: "https://sms.example.test/", headers: secret, encoding: "json" },
    ...{ body: { to: "{{to}}", text: "{{text}}" }, idPath: "id", isIdempotent: true },
  },
}

test("undone and done again: work, vehicles and customers", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const me = as(org.owner)
  const { create, of, id } = callsOf(me)
  const make = (name: string) => (pathValues[name] as (typeof pathValues)[string])(sql, org)
  const hub = await aHub(sql, { org })
  const task = await aTask(sql, { org, hub })
  const reader = await aUser(sql, { org, hubs: [hub], permissions: ["view/task"] })
  await as(reader).expect(200).get("/notices")
  const [vehicleId, itemId, alertRuleId] = [
    await make("vehicleId"),
    await make("stockItemId"),
    await make("alertRuleId"),
  ]
  const [defectId, slotId, requestId] = [
    await make("vehicleDefectId"),
    await make("slotId"),
    await make("requestId"),
  ]
  const [slot] = await sql<{ hubId: string }[]>`select hub_id from appointment_slots where id = ${slotId}`
  const open = await aTask(sql, { org, hub: { id: String(slot?.hubId) } as Awaited<ReturnType<typeof aHub>> })
  const alertId = newId()
  await sql`
    insert into alerts (organization_id, id, rule_id, cause, kind, hub_ids, details, started_at)
    values (${org.id}, ${alertId}, ${alertRuleId}, 'a', 'speed', ${[hub.id]}, '{}', now())`
  const plan = { vehicleId, name: "Oil", everyKilometers: 15_000, doneOn: "2026-01-02" }
  const entry = { vehicleId, name: "Oil changed", doneOn: "2026-03-04", odometerKilometers: 9_000 }
  await walk(server, org, [
    {
      name: "a comment with a mention",
      tables: ["messages"],
      once: ["notices"],
      act: () => create("/message", { taskId: task.id, text: "Gate code 12", mentions: [reader.id] }),
    },
    {
      name: "a reading",
      tables: ["vehicle_readings", "vehicle_meters"],
      prepare: () =>
        me.expect(201).post(`/vehicle/${vehicleId}/reading`, { odometerKilometers: 5, note: "first" }),
      act: () => me.post(`/vehicle/${vehicleId}/reading`, { odometerKilometers: 100, engineHours: 3 }),
    },
    { name: "a plan", tables: ["maintenance_plans"], act: () => create("/maintenance-plan", plan) },
    {
      name: "work by a plan",
      tables: ["maintenance_entries", "maintenance_plans"],
      act: () => create("/maintenance-entry", { ...entry, planId: id("/maintenance-plan") }),
    },
    { name: "work deleted", tables: ["maintenance_entries"], act: () => me.delete(of("/maintenance-entry")) },
    {
      name: "a defect resolved",
      tables: ["vehicle_defects"],
      act: () => me.post(`/vehicle-defect/${defectId}/resolve`, { note: "New pads" }),
    },
    {
      name: "parts received",
      tables: ["stock_movements", "stock_levels"],
      prepare: () =>
        me.expect(201).post("/stock-movement", { itemId, kind: "receipt", quantity: 1, to: { vehicleId } }),
      act: () => me.post("/stock-movement", { itemId, kind: "receipt", quantity: 5, to: { vehicleId } }),
    },
    {
      name: "parts counted",
      tables: ["stock_movements", "stock_levels"],
      act: () => me.post("/stock-movement", { itemId, kind: "count", quantity: 2, to: { vehicleId } }),
    },
    {
      name: "an appointment",
      tables: ["appointment_slots"],
      act: () => me.post(`/slot/${slotId}/book`, { taskId: open.id }),
    },
    {
      name: "a request rejected",
      tables: ["task_requests"],
      act: () => me.post(`/task-request/${requestId}/reject`, { reason: "Too far" }),
    },
    {
      name: "a tracking link withdrawn",
      tables: ["tracking_links"],
      prepare: () => me.post(`/task/${task.id}/tracking-link`, {}),
      act: () => me.delete(`/task/${task.id}/tracking-link`),
    },
    {
      name: "positions shared",
      tables: ["location_links"],
      act: () => me.post("/location-history/generate-token", { email: reader.email }),
    },
    {
      name: "an alert acknowledged",
      tables: ["alerts"],
      act: () => me.post("/alerts/acknowledge", { alertIds: [alertId] }),
    },
    {
      name: "an address that wants no messages",
      tables: ["message_opt_outs"],
      act: () => me.put("/customer-opt-out", { address: "no@example.test", hasOptedOut: true }),
    },
    {
      name: "a channel",
      tables: ["message_channels"],
      act: () => create("/customer-message-channel", channel),
    },
    {
      name: "another secret of a channel",
      tables: ["message_channels"],
      act: () =>
        me.put(of("/customer-message-channel"), { ...channel, name: "Other", secrets: { token: "second" } }),
    },
    {
      name: "a channel deleted with its templates",
      tables: ["message_channels", "message_templates"],
      prepare: () =>
        me.expect(201).post("/customer-message-template", {
          event: "planned",
          channelId: id("/customer-message-channel"),
          body: "Hi",
        }),
      act: () => me.delete(of("/customer-message-channel")),
    },
  ])
})

test("another secret of a channel is undone, and not shown", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const me = as(org.owner)
  const made = (await me.expect(201).post("/customer-message-channel", channel)).json().data
  const sealed = async () =>
    (await sql`select secrets, settings from message_channels where id = ${made._id}`)[0]
  const before = await sealed()
  const changed = await me.expect(200).put(`/customer-message-channel/${made._id}`, {
    ...{
      ...channel,
      secrets: { token: "second" },
      request: { ...channel.request, headers: { "x-key": "other" } },
    },
  })
  const action = changed.headers["x-action-id"]
  const kept = JSON.stringify(await sql`select * from audit_parts where organization_id = ${org.id}`)
  assert.ok(!kept.includes("x-key"), "settings of a channel are not in the audit trail")
  const undone = (await me.expect(200).post(`/action/${action}/undo`)).json().data
  assert.deepEqual([undone.done, undone.leftAlone], [1, []])
  assert.deepEqual((await sealed())?.settings, before?.settings)
})

test("undone and done again: what administrators set up, with its secrets", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const me = as(org.owner)
  const { create, of } = callsOf(me)
  const make = (name: string) => (pathValues[name] as (typeof pathValues)[string])(sql, org)
  const [hub, { id: flowId }] = [await aHub(sql, { org }), await aFlow(sql, { org, pages })]
  const [pluginId, integrationId] = [await make("pluginId"), await make("appIntegrationId")]
  const [workflowId, roleId] = [await make("workflowId"), await make("roleId")]
  await sql`update plugins set permissions = '{view/task}' where id = ${pluginId}`
  await sql`
    insert into road_speeds (organization_id, history, learned_until, learned_at) values (${org.id}, '[]', now(), now())`
  const form = {
    ...{ name: "Repairs", hubId: hub.id, flowId },
    settings: { fields: [{ id: "title", isRequired: true, isLong: false }] },
  }
  const policy = { organizationId: org.id, description: "We keep positions for a year" }
  const webhook = {
    ...{ name: "Hook", event: "onTaskCreated", automationType: "webhook", rules: {} },
    automationDetails: { url: "https://example.test/hook", signature: true, headers: secret },
  }
  const client = { name: "Bot", redirectUris: ["https://client.test/back"], scopes: ["view/task"] }
  const tracker = {
    imei: String(860000000000000 + Math.floor(Math.random() * 1e9)),
    name: "Van 3",
    protocol: "h02",
  }
  const steps: Step[] = [
    { name: "a form", tables: ["request_forms"], act: () => create("/request-form", form) },
    {
      name: "its new link",
      tables: ["request_forms"],
      act: () => me.post(`${of("/request-form")}/new-link`),
    },
    { name: "a form deleted", tables: ["request_forms"], act: () => me.delete(of("/request-form")) },
    {
      name: "a tool with its permission",
      tables: ["custom_modules", "custom_permissions", "roles"],
      act: () =>
        create("/custom-module", { name: "Wiki", type: "external", url: "https://wiki.example.test/" }),
    },
    {
      name: "a tool deleted, which people of a role could see",
      tables: ["custom_modules", "custom_permissions", "roles"],
      prepare: () => aUser(sql, { org, permissions: ["view/task", "view/custom/wiki"] }),
      act: () => me.delete(of("/custom-module")),
    },
    {
      name: "a plugin installed",
      tables: ["plugin_installations"],
      act: () =>
        me.put(`/plugin/${pluginId}/installation`, { isUsed: true, grantedPermissions: ["view/task"] }),
    },
    {
      name: "a plugin deleted",
      tables: ["plugins", "plugin_installations"],
      act: () => me.delete(`/plugin/${pluginId}`),
    },
    { name: "a policy", tables: ["privacy_policies"], act: () => me.post("/privacy-policy", policy) },
    {
      name: "another policy",
      tables: ["privacy_policies"],
      act: () => me.post("/privacy-policy", { ...policy, description: "For a month" }),
    },
    { name: "no policy", tables: ["privacy_policies"], act: () => me.delete(`/privacy-policy/${org.id}`) },
    { name: "usual speeds", tables: ["road_speeds"], act: () => me.put("/road-speeds", { isUsed: false }) },
    {
      name: "learned speeds deleted",
      tables: ["road_speeds"],
      act: () => me.delete("/road-speeds"),
      isUndoneOnce: true,
    },
    {
      name: "a currency",
      tables: ["currencies"],
      act: () => create("/currency", { countryCode: "FJI", iso: "fjd", symbol: "FJ$", locale: "en-FJ" }),
    },
    {
      name: "a template",
      tables: ["templates"],
      act: () => create("/template", { name: "Delivery", category: "Logistics", configuration: "{}" }),
    },
    { name: "a template deleted", tables: ["templates"], act: () => me.delete(of("/template")) },
    {
      name: "data of the organization",
      tables: ["organization_data"],
      act: () => me.post("/org-data", { name: "zones", data: { a: 1 } }),
    },
    {
      name: "a calendar",
      tables: ["calendar_feeds"],
      act: () => create("/calendar-feed", { kind: "person" }),
    },
    { name: "a calendar deleted", tables: ["calendar_feeds"], act: () => me.delete(of("/calendar-feed")) },
    {
      name: "a tracker",
      tables: ["trackers"],
      act: () => create("/tracker", { ...tracker, userId: org.owner.id }),
    },
    {
      name: "a tracker renamed",
      tables: ["trackers"],
      act: () => me.put(of("/tracker"), { ...tracker, name: "Van 4", userId: org.owner.id }),
    },
    { name: "a tracker deleted", tables: ["trackers"], act: () => me.delete(of("/tracker")) },
    { name: "a client", tables: ["oauth_clients"], act: () => create("/oauth-client", client) },
    {
      name: "its new secret",
      tables: ["oauth_clients"],
      act: () => me.post(`${of("/oauth-client")}/rotate-secret`),
    },
    { name: "a client deleted", tables: ["oauth_clients"], act: () => me.delete(of("/oauth-client")) },
    {
      name: "single sign-on deleted",
      tables: ["app_integrations"],
      act: () => me.delete(`/app-integration/${integrationId}`),
    },
    {
      name: "a signing secret",
      tables: [],
      look: async () =>
        (await me.expect(200).get(of("/automation"))).json().data.automationDetails.signingSecret,
      prepare: () => create("/automation", webhook),
      act: () => me.post(`${of("/automation")}/rotate-secret`),
    },
    {
      name: "a workflow deleted",
      tables: ["workflows"],
      act: () => me.delete(`/workflow/${workflowId}`),
    },
    {
      name: "an access token",
      tables: ["access_tokens"],
      act: () => create("/token", { name: "Import", expires_at: "2031-01-01 00:00:00" }),
      isFinal: true,
    },
    {
      name: "a device key",
      tables: ["device_keys"],
      act: () => create("/device-key", { name: "Phone" }),
      isFinal: true,
    },
    {
      name: "a directory",
      tables: ["scim_tokens"],
      act: () => create("/scim-token", { name: "Entra", hubId: hub.id, roleId }),
      isFinal: true,
    },
  ]
  await walk(server, org, steps)
  const [token] = await sql`
    select revoked_at from access_tokens where organization_id = ${org.id} and kind = 'personal'`
  assert.ok(token?.revokedAt, "an access token that was undone is revoked")
  const [kept] = await sql`select count(*)::int as count from undo_columns where organization_id = ${org.id}`
  assert.ok(Number(kept?.count) > 0)
  const parts = JSON.stringify(
    await sql`select before, after from audit_parts where organization_id = ${org.id}`,
  )
  assert.ok(!parts.includes('code_hash":"\\\\x'), "hashes are not in the audit trail")
})

/** Undone by undo-walk.test.ts and undo-settings.test.ts. */
const undoneElsewhere = [
  ...["hub", "user", "flow", "vehicle", "record", "task", "schedule", "result", "role", "team", "data-type"],
  ...["password-policy", "automation", "alert-rule", "geofence", "geotag", "routing-configuration"],
  ...[
    "capacity-constraint",
    "export-configuration",
    "saved-view",
    "report-schedule",
    "equipment",
    "stock-item",
  ],
  ...["organization", "location-settings", "tracking-page", "message-settings", "report-settings"],
  ...["insight-settings", "audit-settings"],
]

const notUndone: Readonly<Record<string, string>> = {
  import: "undone with the rows that it wrote",
  reading: "reads another system; nothing changes until its rows are imported",
  feedback: "written by customers",
  "position-consent": "a person's decision about their own positions, in the field app",
}

test("a kind of object that is new is undone and tested, or listed with the reason why not", async (t) => {
  const { sql } = await testOrganization(t)
  const noted = await sql<{ type: string }[]>`
    select distinct split_part(encode(tgargs, 'escape'), '\\000', 1) as type from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid where proname in ('audit_rows', 'audit_row') order by 1`
  const known = new Set(auditedObjects.map(({ type }) => type))
  const forgotten = noted.map(({ type }) => type).filter((type) => known.has(type) === type in notUndone)
  assert.deepEqual(forgotten, [], "list it in audited-rows.ts or audited-settings.ts")
  const walked = await sql<{ type: string }[]>`
    select distinct part.object_type as type from audit_log entry
    join audit_parts part on part.organization_id = entry.organization_id and part.entry_id = entry.details ->> 'undoes'`
  const tested = new Set([...undoneElsewhere, ...walked.map(({ type }) => type)])
  assert.deepEqual(
    [...known].filter((type) => !tested.has(type)),
    [],
    "add a step that undoes one",
  )
})
