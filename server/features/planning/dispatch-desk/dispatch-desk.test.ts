import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { stopOf, workerOf } from "#shared/dispatch/from-day.ts"
import { greatCircleSeconds, inOrder, timesOf } from "#shared/dispatch/person-day.ts"
import { addedProblems, problemsOf } from "#shared/dispatch/problems.ts"
import { testOrganization } from "#testing/test-app.ts"
import type { Suggestion, WireDay } from "./schemas.ts"

const at = (clock: string) => Temporal.Instant.from(`2031-05-05T${clock}:00Z`)
const mapped = [
  { id: "minutes", title: "Minutes", type: "input", inputType: "number", routeAs: "VisitDuration" },
  { id: "kilograms", title: "Kilograms", type: "input", inputType: "number", routeAs: "Constraint.weight" },
  { id: "skills", title: "Skills", type: "input", routeAs: "Tag" },
]

test("a dispatcher reads a day, suggestions weigh way, load, skills and hours, and a person's day adds up", async (t) => {
  const { sql, as, org, clock } = await testOrganization(t)
  clock.move("2031-05-05T06:00:00Z")
  const [north, south] = [await aHub(sql, { org }), await aHub(sql, { org })]
  await sql`update hubs set lat = 38.7, lng = -9.1 where organization_id = ${org.id}`
  const worker = (name: string, hub = north) =>
    aUser(sql, { org, name, hubs: [hub], permissions: ["view/task", "do/task"] })
  const [near, far, other] = [
    await worker("Near 2"),
    await worker("Far 10"),
    await worker("Elsewhere", south),
  ]
  const planner = await aUser(sql, {
    org,
    hubs: [north],
    permissions: ["view/task", "assign/task", "edit/task"],
  })
  const flow = await aFlow(sql, { org, pages: [{ title: "Visit", components: mapped }] as never })
  const task = async (title: string, from: string, to: string, lng: number, options = {}) => {
    const { id } = await aTask(sql, {
      ...{ org, flow, title, startTime: at(from), endTime: at(to), hub: north },
      values: { minutes: 15, kilograms: 60, skills: "cold" },
      ...options,
    })
    await sql`update tasks set lat = 38.7, lng = ${lng} where id = ${id}`
    return id
  }
  const first = await task("First", "09:00", "10:00", -9.1, { assignee: [near] })
  await task("Second", "09:00", "17:00", -9.12, { assignee: [far] })
  const free = await task("Free", "10:00", "12:00", -9.101)
  const overdue = await task("Overdue", "06:00", "07:00", -9.2, {
    startTime: at("06:00").subtract({ hours: 48 }),
    endTime: at("07:00").subtract({ hours: 48 }),
  })
  await task("Tomorrow", "09:00", "10:00", -9.2, {
    startTime: at("09:00").add({ hours: 24 }),
    endTime: at("10:00").add({ hours: 24 }),
  })
  await task("Of another hub", "09:00", "10:00", -9.2, { hub: south, assignee: [other] })
  for (const [driver, tags, max] of [
    [near, ["cold"], 150],
    [far, [], 50],
  ] as const)
    await as(org.owner)
      .expect(200)
      .post("/vehicle", {
        hubId: north.id,
        name: `Van of ${driver.email}`,
        assignee: driver.email,
        tags,
        capacity: { weight: { min: 0, max } },
        workingTime: { startTime: "08:00", endTime: "16:00" },
      })

  // Without a title a task has the name of its flow.
  await sql`update tasks set title = null where id = ${overdue}`

  const day: WireDay = (await as(planner).get("/dispatch/day")).json().data
  assert.equal(day.date, "2031-05-05")
  assert.deepEqual(
    day.tasks.map(({ title }) => title).toSorted(),
    ["First", "Free", flow.name, "Second"].toSorted(),
  )
  assert.deepEqual(
    day.people.map(({ name }) => name),
    ["Far 10", "Near 2"],
  )
  assert.equal(day.people[1]?.vehicle?.shift?.start, at("08:00").epochMilliseconds / 1000)
  const listed = day.tasks.find(({ _id }) => _id === first)
  assert.deepEqual(
    [listed?.visitMinutes, listed?.demand, listed?.tags, listed?.assignee],
    [15, { weight: 60 }, ["cold"], [near.email]],
  )
  assert.deepEqual(
    (await as(planner).expect(400).get(`/dispatch/day?hubId=${south.id}`)).json().failedCode,
    "desk-002",
  )
  const ofSouth: WireDay = (await as(org.owner).get(`/dispatch/day?hubId=${south.id}`)).json().data
  assert.deepEqual(
    ofSouth.tasks.map(({ title }) => title),
    ["Of another hub"],
  )
  assert.deepEqual((await as(near).get("/dispatch/day")).json().data.people.length, 2, "those with tasks")

  const asked = await as(planner)
    .expect(200)
    .post("/dispatch/suggestions", { taskIds: [free] })
  const { isByRoad, note, people } = asked.json().data as {
    isByRoad: boolean
    note: string
    people: Suggestion[]
  }
  assert.equal(isByRoad, false)
  assert.match(note, /Great-circle/)
  assert.deepEqual(
    people.map(({ name }) => name),
    ["Near 2", "Far 10"],
  )
  const afoot = (await as(org.owner).get("/dispatch/day")).json().data.people as WireDay["people"]
  assert.deepEqual(
    afoot.map(({ name, start }) => [name, start?.lat]).find(([name]) => name === "Elsewhere"),
    ["Elsewhere", 38.7],
    "without a vehicle they start at their hub",
  )
  assert.deepEqual(people[0]?.problems, [])
  assert.deepEqual([people[0]?.stops, people[0]?.matchingTags], [1, ["cold"]])
  assert.deepEqual(people[0]?.load, [{ name: "weight", load: 120, max: 150 }])
  assert.ok((people[0]?.minutesLeft ?? 0) > 300)
  assert.deepEqual(people[1]?.problems.toSorted(), ["capacity", "tags"])
  await as(planner)
    .expect(400)
    .post("/dispatch/suggestions", { taskIds: [ofSouth.tasks[0]?._id] })
  await as(near)
    .expect(403)
    .post("/dispatch/suggestions", { taskIds: [first] })

  const table = (
    await as(planner).post("/dispatch/travel-times", {
      places: [
        [-9.1, 38.7],
        [-9.2, 38.7],
      ],
    })
  ).json()
  assert.equal(table.data.seconds[0][0], 0)
  assert.ok(table.data.seconds[0][1] > 1_000)

  const person = day.people.find(({ name }) => name === "Near 2")
  assert.ok(person)
  const context = { travel: greatCircleSeconds(25), usualMinutes: 10, now: undefined }
  const stops = inOrder(day.tasks.filter(({ title }) => title !== "Second").map(stopOf))
  const times = timesOf(workerOf(person), stops, context)
  assert.deepEqual(
    times.stops.map(({ id }) => day.tasks.find(({ _id }) => _id === id)?.title),
    [flow.name, "First", "Free"],
  )
  const kinds = problemsOf(workerOf(person), stops, times, context).map(({ kind }) => kind)
  assert.deepEqual(new Set(kinds), new Set(["late", "capacity", "shiftStart"]))
})

test("preferences belong to one person and have limits", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const member = await aUser(sql, { org, permissions: ["view/task"] })
  const sent = { name: "dispatch-layout", value: { mapShare: 40 } }
  await as(member).expect(200).put("/user/preferences", sent)
  await as(member)
    .expect(200)
    .put("/user/preferences", { ...sent, value: { mapShare: 60 } })
  assert.deepEqual((await as(member).get("/user/preferences")).json().data, {
    "dispatch-layout": { mapShare: 60 },
  })
  assert.deepEqual((await as(org.owner).get("/user/preferences")).json().data, {})
  const elsewhere = await anOrganization(sql)
  assert.deepEqual((await as(elsewhere.owner).get("/user/preferences")).json().data, {})
  const large = { name: "large", value: { text: "x".repeat(17_000) } }
  assert.equal((await as(member).expect(400).put("/user/preferences", large)).json().failedCode, "prefr-002")
})

test("a change names what it breaks, and what it makes worse", () => {
  const full = { kind: "capacity", name: "weight", load: 60, max: 5 } as const
  const late = { kind: "late", stopId: "a", seconds: 600 } as const
  const over = { kind: "shiftEnd", seconds: 300 } as const
  const before = [full, late, over]
  assert.deepEqual(addedProblems(before, before), [])
  const fuller = { ...full, load: 80 }
  const later = { ...over, seconds: 1_500 }
  const other = { ...late, stopId: "b" }
  const after = [fuller, { ...late, seconds: 610 }, other, later]
  assert.deepEqual(addedProblems(before, after), [fuller, other, later])
})

test("a stop that was added since arrivals were estimated delays those after it", () => {
  const worker = workerOf({ hubIds: [], hasAllHubs: true, vehicle: null })
  const stop = (id: string, expectedArrival?: number) => ({
    ...{ id, hubId: "hub", lngLat: [0, 0] as const, startTime: 0, endTime: 90_000, visitMinutes: 10 },
    ...{ isDone: false, doneTime: undefined, demand: {}, tags: [], expectedArrival },
  })
  const context = { travel: () => 300, usualMinutes: 10, now: 1_000, usesEstimates: true }
  const arrivals = (...stops: ReturnType<typeof stop>[]) =>
    timesOf(worker, stops, context).stops.map(({ arrival }) => arrival)
  assert.deepEqual(arrivals(stop("reached"), stop("next", 1_400)), [1_000, 1_400], "estimates hold")
  assert.deepEqual(
    arrivals(stop("first", 1_200), stop("added"), stop("next", 2_000)),
    [1_200, 2_100, 3_000],
    "the added stop takes its time",
  )
})
