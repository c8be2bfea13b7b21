import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, aUser } from "#samples/builders.ts"
import { type Calls, testOrganization } from "#testing/test-app.ts"

interface Context {
  owner: Calls
  hubId: string
  flowId: string
  userId: string
  vehicleId: string
  /** What a new profile of the hub begins with. */
  profile: object
}

interface Case {
  create: string
  /** The route of one; `create` by default. */
  one?: string
  /** Where it is found, where there is no route that reads one. */
  list?: string
  method?: "put" | "patch"
  body(context: Context): object
  change: object
}

const columns = [{ id: "title", component: "input", title: "Title" }]

const cases: Record<string, Case> = {
  role: {
    create: "/role",
    body: () => ({ name: "Night desk", permissionList: ["view/task", "edit/task"] }),
    change: { name: "Day desk", permissionList: ["view/task"] },
  },
  team: { create: "/team", body: ({ hubId }) => ({ name: "North", hubId }), change: { name: "South" } },
  "data type": {
    create: "/data-type",
    list: "/data-types",
    method: "patch",
    body: () => ({
      name: "Shops",
      fields: [{ id: "dataId", title: "Code", type: "input", primaryKey: true }],
    }),
    change: { name: "Stores" },
  },
  automation: {
    create: "/automation",
    body: () => ({
      ...{ name: "Tell us", event: "onTaskCreated", automationType: "webhook" },
      automationDetails: { url: "https://example.test/hook", headers: { key: "secret" } },
      rules: {},
    }),
    change: {
      name: "Tell them",
      automationDetails: { url: "https://example.test/other", headers: { key: "secret" } },
      isActive: false,
    },
  },
  "alert rule": {
    create: "/alert-rule",
    list: "/alert-rules",
    body: ({ hubId, userId }) => ({
      ...{ name: "Silent people", kind: "silent", hubId },
      settings: { minutes: 20, recipients: [userId] },
    }),
    change: { name: "Very silent", settings: { minutes: 60, recipients: [] } },
  },
  geofence: {
    create: "/geofence",
    body: () => ({
      ...{ name: "Yard", group: "Depots", color: "#c7791a", radiusMeters: 150 },
      geometry: { type: "Point", coordinates: [106.8, -6.2] },
    }),
    change: {
      name: "Field",
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [1, 1],
            [1, 2],
            [2, 2],
            [1, 1],
          ],
        ],
      },
      radiusMeters: null,
    },
  },
  geotag: {
    create: "/geotagging",
    list: "/geotagging?hubId=HUB",
    method: "patch",
    body: ({ hubId }) => ({ name: "Centre", hubId, geoTaggingCoordinate: ["1, 1", "1, 2", "2, 2"] }),
    change: { name: "Edge", geoTaggingCoordinate: ["3, 1", "3, 2", "4, 2"], color: "#112233" },
  },
  "routing profile": {
    create: "/configuration",
    body: ({ hubId, profile }) => ({ ...profile, name: "Mornings", hubId, defaultSpeed: 42 }),
    change: { name: "Evenings", defaultSpeed: 30 },
  },
  "capacity constraints": {
    create: "/capacity-constraint",
    body: () => ({ capacityConstraint: [{ name: "weight", denominator: "Kg" }] }),
    change: { capacityConstraint: [] },
  },
  "export configuration": {
    create: "/export-config",
    body: ({ flowId }) => ({
      name: "All",
      collection: "task",
      flowIds: [flowId],
      fields: columns,
      format: "csv",
    }),
    change: { name: "Some", format: "xlsx" },
  },
  "saved view": {
    create: "/view",
    list: "/views",
    body: () => ({ list: "tasks", name: "Mine", content: { status: "ONGOING" }, visibility: "private" }),
    change: { name: "Ours", visibility: "everyone", content: {} },
  },
  "report schedule": {
    create: "/report-schedule",
    list: "/report-schedules",
    body: ({ userId }) => ({
      ...{
        name: "Monday",
        period: "lastWeek",
        groupBy: "hub",
        metrics: "done",
        every: "week",
        time: "07:00",
      },
      ...{ files: ["pdf"], recipients: [userId] },
    }),
    change: { name: "Daily", every: "day", time: "08:30" },
  },
  "message channel": {
    create: "/customer-message-channel",
    list: "/customer-message-channels",
    body: () => ({ name: "Mail", kind: "email", preset: "mail", dailyCap: 50 }),
    change: { name: "Post", dailyCap: 70 },
  },
  equipment: {
    create: "/equipment",
    list: "/equipment",
    body: ({ hubId }) => ({ hubId, code: "HP-1", name: "Pump", lat: 1.5, lon: 2.5 }),
    change: { code: "HP-2", name: "Pipe", lat: null, lon: null },
  },
  "maintenance plan": {
    create: "/maintenance-plan",
    list: "/maintenance-plans",
    body: ({ vehicleId }) => ({
      ...{ vehicleId, name: "Oil", everyKilometers: 15_000, everyDays: 365, remindKilometers: 500 },
      doneOn: "2026-01-02",
    }),
    change: { name: "Tyres", everyKilometers: 40_000, everyDays: null },
  },
  "stock item": {
    create: "/stock-item",
    list: "/stock-items",
    body: () => ({ code: "F-1", name: "Filter", unit: "pcs" }),
    change: { code: "F-2", name: "Bolt" },
  },
  "custom module": {
    create: "/custom-module",
    list: "/custom-modules",
    body: () => ({ name: "Wiki", type: "external", url: "https://wiki.example.test/" }),
    change: { name: "Books", url: "https://books.example.test/" },
  },
  "password policy": {
    create: "/password-policies",
    one: "/password-policy",
    body: () => ({
      ...{ name: "Strict", minimumLength: 12, complexity: 3, expiration: 90, expirationNotificationDays: 7 },
      ...{ minimumDuration: 1, accountLockout: 5, accountLockoutDuration: 30, passwordHistory: 5 },
    }),
    change: { minimumLength: 8, complexity: 2 },
  },
}

interface Undone {
  done: number
  leftAlone: { reason: string }[]
  next: number | null
}

for (const [name, { create, one = create, list, method = "put", body, change }] of Object.entries(cases))
  test(`undone: a ${name} that was changed, deleted, made`, async (t) => {
    const context = await theContext(t)
    const { owner } = context
    const undo = async (action: unknown) => {
      const { data } = (await owner.expect(200).post(`/action/${String(action)}/undo`)).json()
      const { done, leftAlone, next } = data as Undone
      assert.deepEqual([leftAlone, next], [[], null])
      // With a tool, the roles that have it change.
      assert.ok(name === "custom module" ? done > 0 : done === 1, `${done} undone`)
    }
    const read = async (): Promise<unknown> => {
      const response = await owner.get(list?.replace("HUB", context.hubId) ?? `${one}/${id}`)
      if (!list) return response.statusCode === 200 ? withoutTimes(response.json().data) : undefined
      const { data, data_types: types } = response.json()
      const rows = (Array.isArray(data) ? data : (data ?? types).data) as { _id: string }[]
      return withoutTimes(rows.find(({ _id }) => _id === id))
    }
    const values = body(context)
    const made = await owner.post(create, values)
    assert.ok(made.statusCode < 300, made.body)
    const { _id, data, data_type: type } = made.json()
    const id = String((data ?? type)?._id ?? _id)
    const before = await read()
    assert.ok(before, "it can be read")

    const changed = await owner[method](`${one}/${id}`, method === "put" ? { ...values, ...change } : change)
    assert.equal(changed.statusCode, 200, changed.body)
    assert.notDeepEqual(await read(), before)
    await undo(changed.headers["x-action-id"])
    assert.deepEqual(await read(), before)

    const deleted = await owner.expect(200).delete(`${one}/${id}`)
    assert.equal(await read(), undefined)
    await undo(deleted.headers["x-action-id"])
    assert.deepEqual(await read(), before)

    await undo(made.headers["x-action-id"])
    assert.equal(await read(), undefined)
  })

const once: Record<string, { read: string; write?: string; body: object }> = {
  "the organization": {
    read: "/organization/ORG",
    body: {
      companyName: "Another",
      timeZone: "Asia/Jakarta",
      configuration: { quickReplies: ["On my way"] },
    },
  },
  positions: { read: "/location-settings", body: { retentionDays: 90, onlyDuringSessions: true } },
  "tracking pages": { read: "/tracking-page-settings", body: { color: "#aa0000" } },
  "messages to customers": { read: "/customer-message-settings", body: { quietFrom: "20:00" } },
  "service reports": { read: "/flow/FLOW/report-settings", body: { title: "Proof" } },
  reports: {
    read: "/reports/settings",
    body: { costs: { perSession: 1, perHour: 2, perKilometer: 3 }, targets: [] },
  },
  "the audit log": { read: "/audit-log/settings", body: { retentionDays: 60 } },
}

for (const [name, { read: path, body }] of Object.entries(once))
  test(`undone: settings of ${name}`, async (t) => {
    const { owner, flowId, organizationId } = await theContext(t)
    const address = path.replace("ORG", organizationId).replace("FLOW", flowId)
    const read = async () => withoutTimes((await owner.expect(200).get(address)).json().data)
    const before = await read()
    const changed = await owner.put(address, body)
    assert.equal(changed.statusCode, 200, changed.body)
    assert.notDeepEqual(await read(), before)
    const response = await owner.expect(200).post(`/action/${changed.headers["x-action-id"]}/undo`)
    assert.deepEqual(response.json().data.leftAlone, [])
    const after = await read()
    assert.deepEqual({ ...after, configuration: undefined }, { ...before, configuration: undefined })
    const { configuration = {} } = before as { configuration?: Record<string, unknown> }
    for (const [key, value] of Object.entries(configuration))
      assert.deepEqual((after as { configuration: Record<string, unknown> }).configuration[key], value)
  })

let context: ReturnType<typeof aContext> | undefined
/** One organization for all: each case undoes what it did. */
const theContext = (t: Parameters<typeof aContext>[0]) => {
  context ??= aContext(t)
  return context
}

async function aContext(t: Parameters<typeof testOrganization>[0]) {
  const { sql, as, org } = await testOrganization(t)
  const hub = await aHub(sql, { org })
  const user = await aUser(sql, { org, hubs: [hub] })
  const flow = await aFlow(sql, { org })
  const owner = as(org.owner)
  const van = await owner.expect(200).post("/vehicle", { name: "Van", hubId: hub.id, speed: 30 })
  const vehicleId = String(van.json().data._id)
  const { data: profile } = (await owner.expect(200).get(`/configuration/hub/${hub.id}`)).json()
  return {
    ...{ owner, profile, organizationId: org.id },
    hubId: hub.id,
    userId: user.id,
    vehicleId,
    flowId: flow.id,
  }
}

function withoutTimes(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return value as never
  const { updatedTime: _time, updatedBy: _by, frameUrl: _url, ...rest } = value as Record<string, unknown>
  return rest
}
