import assert from "node:assert/strict"
import { test } from "node:test"
import { causesOf, type PersonNow, type Situation, type WatchedRule } from "./causes.ts"

const now = Temporal.Instant.from("2031-05-07T20:30:00Z")
const ana: PersonNow = {
  ...{
    userId: "a",
    email: "ana@example.test",
    name: "Ana",
    hubIds: ["h1"],
    teamIds: ["t1"],
    lat: 52,
    lon: 5,
  },
  ...{
    speed: 95,
    accuracy: 8,
    battery: 12,
    charging: false,
    time: now.epochMilliseconds - 30_000,
  },
}
const situation: Situation = {
  ...{
    now,
    people: [ana],
    alarms: [],
    visits: [],
    silent: [],
    tasks: [],
    plans: [],
    defects: [],
    drivers: new Map([["v1", "ana@example.test"]]),
  },
  timeZoneOf: () => "Europe/Amsterdam",
}
const rule = (
  kind: WatchedRule["kind"],
  settings: WatchedRule["settings"] = {},
  hubId: string | null = null,
) => ({
  ...{ kind, settings, hubId },
  createdTime: now.subtract({ hours: 24 }),
})
const found = (watched: WatchedRule, changes: Partial<PersonNow> = {}, part: Partial<Situation> = {}) =>
  causesOf(watched, { ...situation, ...part, people: [{ ...ana, ...changes }] }).map(
    ({ details }) => details.value ?? details.text ?? details.placeName ?? "yes",
  )

test("readings of the newest position raise alerts, unless they are old or not reliable", () => {
  assert.deepEqual(found(rule("speed", { kilometersPerHour: 90 })), [95])
  assert.deepEqual(found(rule("speed", { kilometersPerHour: 95 })), [])
  assert.deepEqual(found(rule("speed", { kilometersPerHour: 90 }), { accuracy: 400 }), [])
  assert.deepEqual(
    found(rule("speed", { kilometersPerHour: 90 }), { time: now.epochMilliseconds - 3_600_000 }),
    [],
  )
  assert.deepEqual(found(rule("battery", { percent: 15 })), [12])
  assert.deepEqual(found(rule("battery", { percent: 15 }), { charging: true }), [])
  const alarms = ["sos", "harsh-braking"].map((alarm) => ({
    userId: "a",
    alarm,
    startedAt: now,
    lat: 52,
    lng: 5,
  }))
  assert.deepEqual(found(rule("device"), {}, { alarms }), ["sos", "harsh-braking"])
  assert.deepEqual(found(rule("device", { alarms: ["sos", "crash"] }), {}, { alarms }), ["sos"])
})

test("working hours are local, may pass midnight, and have weekdays", () => {
  // 22:30 on a Wednesday in Amsterdam.
  assert.deepEqual(found(rule("outsideHours", { from: "07:00", to: "22:00" })), [95])
  assert.deepEqual(found(rule("outsideHours", { from: "07:00", to: "23:00" })), [])
  assert.deepEqual(found(rule("outsideHours", { from: "22:00", to: "06:00" })), [])
  assert.deepEqual(found(rule("outsideHours", { from: "22:00", to: "06:00", weekdays: [1, 2] })), [95])
  assert.deepEqual(found(rule("outsideHours", { from: "07:00", to: "22:00" }), { speed: 2 }), [])
})

test("hubs, teams, people and vehicles narrow a rule", () => {
  const fast = { kilometersPerHour: 50 }
  assert.deepEqual(found(rule("speed", fast, "h2")), [])
  assert.deepEqual(found(rule("speed", { ...fast, teamIds: ["t2"] }, "h1")), [])
  assert.deepEqual(found(rule("speed", { ...fast, teamIds: ["t2"], vehicleIds: ["v1"] }, "h1")), [95])
  assert.deepEqual(found(rule("speed", { ...fast, userIds: ["b"] })), [])
})

test("entries, exits and stays follow visits; what was over before the rule was made raises nothing", () => {
  const visit = { id: "x", userId: "a", geofenceId: "g1", placeName: "Yard" }
  const visits = [{ ...visit, arrivedAt: now.subtract({ minutes: 40 }), leftAt: null }]
  assert.deepEqual(found(rule("enter"), {}, { visits }), ["Yard"])
  assert.deepEqual(found(rule("enter", { geofenceIds: ["g2"] }), {}, { visits }), [])
  assert.deepEqual(found(rule("exit"), {}, { visits }), [])
  assert.deepEqual(found(rule("dwell", { minutes: 30 }), {}, { visits }), [30])
  assert.deepEqual(found(rule("dwell", { minutes: 50 }), {}, { visits }), [])
  assert.deepEqual(found({ ...rule("enter"), createdTime: now }, {}, { visits }), [])
  const ended = [
    { ...visit, arrivedAt: now.subtract({ minutes: 40 }), leftAt: now.subtract({ minutes: 15 }) },
  ]
  assert.deepEqual(found(rule("exit"), {}, { visits: ended }), ["Yard"])
  assert.deepEqual(found(rule("dwell", { minutes: 30 }), {}, { visits: ended }), [])
})
