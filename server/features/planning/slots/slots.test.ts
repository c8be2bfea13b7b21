import assert from "node:assert/strict"
import { test } from "node:test"
import { inTransaction } from "#core/database/database.ts"
import { threadCounts } from "#core/threads/run-in-thread.ts"
import { aFlow, aHub, aUser } from "#samples/builders.ts"
import { type Reply, testOrganization } from "#testing/test-app.ts"
import { lockHub } from "./slot-hub.ts"

const place = {
  id: "place",
  component: "input",
  type: "Geolocation",
  title: "Place",
  showAs: "expectedCoordinate",
}

/** A hub with one van that works from 8:00 to 12:00, at 7:00 of a day: one visit of 100 minutes fits into each window. */
async function aHubWithOneVan() {
  const app = await testOrganization()
  const { sql, org, clock } = app
  clock.move("2031-05-04T05:30:00Z")
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages: [{ id: "page0", components: [place] }] })
  await sql`
    insert into vehicles (organization_id, id, hub_id, name, working_time)
    values (${org.id}, ${org.id}, ${hub.id}, 'Van', ${sql.json({ startTime: "08:00", endTime: "12:00", multiday: 0 })})`
  const [found] = await sql<{ lat: number; lng: number }[]>`select lat, lng from hubs where id = ${hub.id}`
  const coordinate = `${(found?.lat ?? 0) + 0.01},${found?.lng ?? 0}`
  const offer = { hubId: hub.id, coordinate, visitTime: 100, days: 1, count: 1 }
  return {
    ...app,
    me: app.as(org.owner),
    hub,
    offer,
    task: { flow: flow.name, hubId: hub.id, place: coordinate },
  }
}

const statuses = (replies: readonly Reply[], status: number) =>
  replies.filter(({ statusCode }) => statusCode === status)

test("windows that fit are held and booked once by concurrent requests", async () => {
  const { sql, me, hub, offer, task, clock } = await aHubWithOneVan()
  const offers = await Promise.all(
    Array.from({ length: 100 }, () => me.expect(200).post("/slot/offers", offer)),
  )
  assert.equal(threadCounts("proposals").idle, 1, "they were computed in a thread, one at a time")
  const held = offers.flatMap((reply) => reply.json().data as { _id: string; startTime: string }[])
  // Two windows of two hours have room for one visit each, and no third one is offered.
  assert.deepEqual(held.map(({ startTime }) => startTime).toSorted(), [
    "2031-05-04T08:00:00+00:00",
    "2031-05-04T10:00:00+00:00",
  ])
  const [first, second] = held
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => me.post(`/slot/${first?._id}/book`, { task })),
  )
  assert.equal(statuses(replies, 201).length, 1)
  assert.equal(statuses(replies, 409).length, 99)
  const tasks = await sql<
    { startTime: Temporal.Instant }[]
  >`select start_time from tasks where hub_id = ${hub.id}`
  assert.deepEqual(
    tasks.map(({ startTime }) => startTime.epochMilliseconds),
    [Date.parse(first?.startTime ?? "")],
  )

  // After ten minutes the other window is free again; the booked one is not.
  clock.move({ minutes: 11 })
  await me.expect(409).post(`/slot/${second?._id}/book`, { task })
  const { data: again } = (await me.expect(200).post("/slot/offers", { ...offer, count: 5 })).json()
  assert.deepEqual(
    again.map(({ startTime }: { startTime: string }) => startTime),
    [second?.startTime],
  )
  // Who asks again for the same visit gives back what was offered before.
  const body = { ...offer, count: 5 }
  assert.deepEqual((await me.expect(200).post("/slot/offers", body)).json().data, [])
  const replaces = [again[0]?._id.toUpperCase()]
  const instead = (await me.expect(200).post("/slot/offers", { ...body, replaces })).json().data
  assert.deepEqual([instead.length, instead[0]?.startTime], [1, second?.startTime])
  await me.expect(404).post(`/slot/${again[0]?._id}/book`, { task })
  const tomorrow = (await me.expect(200).post("/slot/offers", { ...offer, days: 2, count: 5 })).json().data
  assert.deepEqual(
    tomorrow.map(({ startTime }: { startTime: string }) => startTime.slice(0, 10)),
    ["2031-05-05", "2031-05-05"],
  )
})

test("an open task is moved into a slot once, and keeps its plan only on the same day", async () => {
  const { me, offer, task, hub, sql, org } = await aHubWithOneVan()
  const made = (
    await me
      .expect(201)
      .post("/task", { ...task, startTime: "2031-05-04T06:00:00Z", endTime: "2031-05-04T07:00:00Z" })
  ).json()
  const taskId = made.task._id
  const { data } = (await me.expect(200).post("/slot/offers", { ...offer, days: 2, count: 5 })).json()
  const slot = data.find(({ startTime }: { startTime: string }) => startTime.startsWith("2031-05-05"))
  await me.expect(400).post(`/slot/${slot._id}/book`, {})
  await me.expect(400).post(`/slot/${slot._id}/book`, { task, taskId })
  await me.expect(404).post(`/slot/${slot._id}/book`, { taskId: "0".repeat(24) })
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => me.post(`/slot/${slot._id}/book`, { taskId })),
  )
  assert.deepEqual(replies.map(({ statusCode }) => statusCode).toSorted(), [
    201,
    ...Array.from({ length: 9 }, () => 409),
  ])
  const { task: moved } = (await me.expect(200).get(`/task/${taskId}`)).json()
  assert.equal(Date.parse(moved.startTime), Date.parse(slot.startTime))
  const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
    select count(*)::int as count from tasks where organization_id = ${org.id} and hub_id = ${hub.id}`
  assert.equal(count, 1, "no second task is made")
})

test("an open task that is to move leaves its own time free, for those who may see it", async () => {
  const { me, as, offer, task, sql, org, hub } = await aHubWithOneVan()
  const taskIds: string[] = []
  for (let window = 0; window < 2; window++) {
    const [slot] = (await me.expect(200).post("/slot/offers", offer)).json().data
    taskIds.push((await me.expect(201).post(`/slot/${slot._id}/book`, { task })).json().taskId)
  }
  assert.deepEqual((await me.expect(200).post("/slot/offers", offer)).json().data, [], "the day is full")
  const [first = ""] = taskIds
  const moving = { ...offer, taskId: first.toUpperCase(), count: 5 }
  const { data } = (await me.expect(200).post("/slot/offers", moving)).json()
  assert.deepEqual(
    data.map(({ startTime }: { startTime: string }) => startTime),
    ["2031-05-04T08:00:00+00:00"],
  )
  const other = await aHub(sql, { org })
  await me.expect(400).post("/slot/offers", { ...moving, hubId: other.id })
  await me.expect(404).post("/slot/offers", { ...moving, taskId: "0".repeat(24) })
  const permissions = ["edit/task", "view/task", "view/task/only-me"] as const
  const fieldUser = await aUser(sql, { org, hubs: [hub], permissions })
  await as(fieldUser).expect(404).post("/slot/offers", moving)
  await as(fieldUser).expect(200).post("/slot/offers", offer)
})

test("while offers wait for each other, other requests of the organization are answered", async () => {
  const { me, offer, hub, sql, org } = await aHubWithOneVan()
  const replies = await inTransaction(sql, async (tx) => {
    await lockHub(tx, org.id, hub.id)
    const offers = Array.from({ length: 40 }, () => me.expect(200).post("/slot/offers", offer))
    for (let turn = 0; turn < 3; turn++) await me.expect(200).get("/tasks")
    return { offers }
  })
  await Promise.all(replies.offers)
})
