import assert from "node:assert/strict"
import { test } from "node:test"
import { newId } from "#core/ids.ts"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { pathValues } from "#samples/path-values.ts"
import { testOrganization } from "./test-app.ts"
import { callsOf, walk } from "./undo-steps.ts"

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
