import assert from "node:assert/strict"
import { connect } from "node:net"
import { test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { findCaller, toCaller } from "#core/access/caller.ts"
import { hashToken } from "#core/access/token.ts"
import { inTransaction } from "#core/database/database.ts"
import {
  aHub,
  anOrganization,
  aTask,
  aTeam,
  aUser,
  type Organization,
  type Person,
} from "#samples/builders.ts"
import { type TestApp, testApp, testOrganization, tokenOf } from "#testing/test-app.ts"
import { queryKeysOf } from "../../../console/src/live/invalidation.ts"
import { createLog } from "../telemetry/log.ts"
import { liveEventTypes } from "./live-event-types.ts"
import { createLiveEvents, currentSnapshot, type LiveEvent, type LiveEvents } from "./live-events.ts"
import { publish } from "./publish.ts"
import { type Frame, watch } from "./watch.fixture.ts"

const testEvent = "task.updated"

function announce(
  sql: TestApp["sql"],
  live: LiveEvents,
  org: Organization,
  n: number,
  more: { hubId?: string; emails?: string[] } = {},
) {
  return inTransaction(sql, (tx) =>
    publish(tx, live, testEvent, { organizationId: org.id, content: { n }, ...more }),
  )
}

async function waitFor(happened: () => boolean): Promise<void> {
  while (!happened()) await setTimeout(10)
}

const numbers = (frames: readonly Frame[]) => [...new Set(frames.map((frame) => frame.content?.n))].sort()

test("what is committed arrives, what is rolled back does not", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const stream = await watch(server, org.owner)
  await assert.rejects(
    inTransaction(server.sql, async (tx) => {
      await publish(tx, server.app.live, testEvent, { organizationId: org.id, content: { n: 1 } })
      throw new Error("no")
    }),
  )
  await announce(server.sql, server.app.live, org, 2)
  await stream.until(() => stream.frames.length > 0)
  assert.deepEqual(numbers(stream.frames), [2])
  await stream.close()
})

test("a stream that was cut off catches up from its cursor, and a slow transaction is not skipped", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const { live } = server.app
  let commitSlow = () => {}
  const slowMayCommit = new Promise<void>((resolve) => (commitSlow = resolve))
  let slowHasWritten = () => {}
  const written = new Promise<void>((resolve) => (slowHasWritten = resolve))
  const slow = inTransaction(server.sql, async (tx) => {
    await publish(tx, live, testEvent, { organizationId: org.id, content: { n: 1 } })
    slowHasWritten()
    await slowMayCommit
  })
  await written
  const stream = await watch(server, org.owner)
  await announce(server.sql, live, org, 2)
  await stream.until(() => stream.frames.length > 0)
  const { cursor } = stream.state
  await stream.close()
  commitSlow()
  await slow
  await announce(server.sql, live, org, 3)
  const resumed = await watch(server, org.owner, cursor)
  await resumed.until(() => numbers(resumed.frames).includes(1) && numbers(resumed.frames).includes(3))
  await resumed.close()
})

test("events stay inside their organization, its permission, its hub and, for some, their own tasks", async (t) => {
  const server = await testApp(t)
  const { sql } = server
  const [org, other] = [await anOrganization(sql), await anOrganization(sql)]
  const [here, there] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const planner = await aUser(sql, { org, role: "planner", hubs: [here] })
  const worker = await aUser(sql, { org, role: "field user", hubs: [here] })
  const clerk = await aUser(sql, { org, permissions: ["view/data"], hubs: [here] })
  const lead = await aUser(sql, { org, role: "planner", hubs: [here] })
  const rival = await aUser(sql, { org, role: "field user", hubs: [here] })
  for (const members of [[lead, worker], [rival]]) {
    const team = await aTeam(sql, { org, hub: here })
    for (const { id } of members)
      await sql`insert into user_teams (organization_id, user_id, team_id) values (${org.id}, ${id}, ${team.id})`
  }
  const streams = await Promise.all(
    [planner, worker, clerk, other.owner, lead].map((person) => watch(server, person)),
  )
  const { live } = server.app
  await announce(sql, live, org, 1, { hubId: there.id })
  await announce(sql, live, org, 2, { hubId: here.id, emails: ["somebody@fieldway.test"] })
  await announce(sql, live, org, 3, { hubId: here.id, emails: [worker.email] })
  await announce(sql, live, other, 4)
  await announce(sql, live, org, 5, { hubId: here.id, emails: [rival.email] })
  await announce(sql, live, org, 6, { hubId: here.id, emails: [rival.email, planner.email] })
  await announce(sql, live, org, 7, { hubId: here.id, emails: [] })
  const [ofPlanner, ofWorker, ofClerk, ofOther, ofLead] = streams
  await Promise.all([
    ofPlanner?.until(() => numbers(ofPlanner.frames).length === 5),
    ofLead?.until(() => numbers(ofLead.frames).includes(7)),
    ofWorker?.until(() => ofWorker.frames.length > 0),
    ofOther?.until(() => ofOther.frames.length > 0),
  ])
  assert.deepEqual(numbers(ofPlanner?.frames ?? []), [2, 3, 5, 6, 7])
  // Not what is about other teams alone.
  assert.deepEqual(numbers(ofLead?.frames ?? []), [2, 3, 6, 7])
  assert.deepEqual(numbers(ofWorker?.frames ?? []), [3])
  assert.deepEqual(numbers(ofClerk?.frames ?? []), [])
  assert.deepEqual(numbers(ofOther?.frames ?? []), [4])
  await server.as(org.owner).patch(`/user/${planner.id}`, { status: "disabled" })
  await ofPlanner?.ended
  await Promise.all(streams.map((stream) => stream.close()))
})

test("a reader that does not read is cut off, the others go on, and it resumes where it was", async (t) => {
  const server = await testOrganization(t)
  const { sql, app, org } = server
  const stream = await watch(server, org.owner)
  const { cursor } = stream.state
  const others = app.live.readerCount()
  const address = app.server.address()
  const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1")
  const token = await tokenOf(sql, org.owner)
  socket.write(`GET /api/v3/events HTTP/1.1\r\nhost: fieldway.test\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await new Promise((resolve) => socket.once("readable", resolve))
  // Each delivery is larger than what may wait, and together they are more than the system takes for a reader.
  const text = "a long story ".repeat(160_000)
  let published = 0
  do {
    await inTransaction(sql, (tx) =>
      publish(tx, app.live, testEvent, { organizationId: org.id, content: { n: ++published, text } }),
    )
    await stream.until(() => numbers(stream.frames).length === published)
  } while (app.live.readerCount() > others && published < 20)
  socket.destroy()
  assert.equal(app.live.readerCount(), others)
  const resumed = await watch(server, org.owner, cursor)
  await resumed.until(() => numbers(resumed.frames).length === published)
  await Promise.all([stream.close(), resumed.close()])
})

test("what happens while a reader catches up arrives after what it missed", async (t) => {
  const { sql } = await testApp(t)
  const org = await anOrganization(sql)
  const live = createLiveEvents(sql, createLog("silent"), [])
  const from = await currentSnapshot(sql)
  let finishReading = () => {}
  const mayRead = new Promise<void>((resolve) => (finishReading = resolve))
  // Only what the reader missed takes long to be read.
  live.addSource(async ({ organizationIds }) => {
    if (organizationIds.length === 0) await mayRead
    return []
  })
  await live.start()
  const other: unknown[] = []
  const received: unknown[] = []
  const readerOf = (list: unknown[]) => ({
    caller,
    deliver: (events: readonly LiveEvent[]) =>
      list.push(...events.map(({ content }) => (content as { n?: number }).n)) >= 0,
  })
  const row = await findCaller(sql, org.id, hashToken(await tokenOf(sql, org.owner)))
  assert.ok(row)
  const caller = toCaller(row)
  // The other reader wants everybody's positions, this one those of one person.
  const people = { userIds: new Set([org.owner.id]), hasAreas: false, carries: () => true }
  const leaveOther = await live.connect(readerOf(other), undefined)
  await announce(sql, live, org, 1)
  await waitFor(() => other.includes(1))
  const connecting = live.connect({ ...readerOf(received), people }, from)
  await waitFor(() => live.readerCount() === 2)
  await announce(sql, live, org, 2)
  await waitFor(() => other.includes(2))
  finishReading()
  const leave = await connecting
  await announce(sql, live, org, 3)
  await waitFor(() => received.includes(3))
  // What came just before the snapshot may come twice.
  assert.deepEqual([...new Set(received)], [1, 2, 3])
  for (const close of [leave, leaveOther]) close()
  assert.equal(live.readerCount(), 0)
  await live.close()
})

test("a change on one node reaches a reader on another", async (t) => {
  const server = await testApp(t)
  const org = await anOrganization(server.sql)
  const elsewhere = createLiveEvents(server.sql, createLog("silent"), [])
  await elsewhere.start()
  const stream = await watch(server, org.owner)
  await announce(server.sql, elsewhere, org, 7)
  await stream.until(() => stream.frames.length > 0)
  assert.deepEqual(numbers(stream.frames), [7])
  await stream.close()
  await elsewhere.close()
})

test("a stream carries the positions that it asks for: of people, of areas and once of who leaves one, or none", async (t) => {
  const server = await testOrganization(t)
  const { sql, org, as } = server
  const [first, second] = [await aUser(sql, { org }), await aUser(sql, { org })]
  const open = (query: string, after?: string) => watch(server, org.owner, after, query)
  const [all, ofFirst, inArea, none] = await Promise.all([
    open(""),
    open(`?userId=${first.id.toUpperCase()},${org.owner.id}`),
    open("?bbox=4,52,5,53;170,-10,-170,10"),
    open("?positions=none"),
  ])
  const { cursor } = inArea.state
  const steps: [Person, number, number][] = [
    [first, 52.5, 4.5],
    [second, 40, 4.5],
    [second, 1, 179],
    [first, 53.5, 4.5],
    [first, 53.6, 4.5],
    [second, 1, -179],
  ]
  for (const [index, [{ email }, lat, lon]] of steps.entries()) {
    assert.equal((await as(org.owner).post("/location-history", { email, lat, lon })).statusCode, 201)
    await all.until(() => all.frames.length > index)
  }
  await announce(sql, server.app.live, org, 1)
  const isEnd = ({ type }: Frame) => type === testEvent
  const seen = async ({ frames, until }: typeof all) => {
    await until(() => frames.some(isEnd))
    return frames
      .filter((frame) => !isEnd(frame))
      .map(({ content }) => `${content?.userId === first.id ? "first" : "second"} ${content?.lat}`)
  }
  assert.equal((await seen(all)).length, steps.length)
  assert.deepEqual(await seen(ofFirst), ["first 52.5", "first 53.5", "first 53.6"])
  assert.deepEqual(await seen(inArea), ["first 52.5", "second 1", "first 53.5", "second 1"])
  assert.deepEqual(await seen(none), [])
  const resumed = await open(`?userId=${second.id}`, cursor)
  await resumed.until(() => resumed.frames.some(isEnd))
  assert.deepEqual(
    resumed.frames.map(({ type, content }) => `${type} ${content?.userId === second.id}`).sort(),
    ["position.moved true", `${testEvent} false`],
  )
  for (const query of ["?positions=all", "?bbox=1,2,3", "?bbox=1,2,3,1e5", "?userId=me"])
    assert.equal((await as(org.owner).get(`/events${query}`)).statusCode, 400, query)
  await Promise.all([all, ofFirst, inArea, none, resumed].map((stream) => stream.close()))
})

test("finishing a task is published to those who watch, and of many tasks each person gets their own", async (t) => {
  const server = await testOrganization(t)
  const { sql, org } = server
  const hub = await aHub(sql, { org })
  const worker = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const task = await aTask(sql, { org, hub, assignee: [worker] })
  const others = await aTask(sql, { org, hub, assignee: [await aUser(sql, { org, hubs: [hub] })] })
  const [stream, ofWorker] = [await watch(server, org.owner), await watch(server, worker)]
  const tasks = [task, others].map(({ id }) => ({ _id: id, siteName: "Both" }))
  await server.as(org.owner).expect(200).patch("/tasks/bulk", { tasks })
  assert.equal((await server.as(worker).patch(`/task/${task.id}`, { status: "DONE" })).statusCode, 200)
  await stream.until(() =>
    stream.frames.some(
      (frame) => frame.type === "task.finished" && frame.content?.taskIds?.includes(task.id),
    ),
  )
  const isEnd = ({ type }: Frame) => type === "task.finished"
  await ofWorker.until(() => ofWorker.frames.some(isEnd))
  const received = ofWorker.frames.flatMap(({ content }) => content?.taskIds ?? [])
  assert.deepEqual([...new Set(received)], [task.id])
  for (const { content } of stream.frames)
    assert.equal(new Set(content?.taskIds).size, content?.taskIds?.length, "each task once")
  await Promise.all([stream.close(), ofWorker.close()])
})

test("changes of people, roles and teams are published to those who may see them and to the person", async (t) => {
  const server = await testOrganization(t)
  const { sql, as, org } = server
  const [here, there] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const planner = await aUser(sql, { org, permissions: ["view/user", "view/team"], hubs: [here] })
  const worker = await aUser(sql, { org, permissions: ["view/data"], hubs: [here] })
  const colleague = await aUser(sql, { org, permissions: ["view/data"], hubs: [here] })
  const [ofPlanner, ofWorker] = await Promise.all([watch(server, planner), watch(server, worker)])
  const owner = as(org.owner)
  const done = [
    await owner.patch(`/user/${colleague.id}`, { name: "Somebody else" }),
    await owner.patch(`/user/${worker.id}`, { name: "New name" }),
    await owner.post("/team", { name: "Far", hubId: there.id }),
    await owner.post("/team", { name: "Near", hubId: here.id }),
    await owner.delete(`/user/${colleague.id}`),
    await owner.post("/role", { name: "Night desk", permissionList: [] }),
  ]
  assert.deepEqual([...new Set(done.map(({ statusCode }) => statusCode))].sort(), [200, 201])
  const published = (frames: readonly Frame[]) =>
    frames.map(({ type, content }) => `${type} ${content?.userId ?? ""}`.trim())
  await Promise.all(
    [ofPlanner, ofWorker].map(({ frames, until }) => until(() => published(frames).includes("role.changed"))),
  )
  assert.deepEqual(published(ofPlanner.frames), [
    `user.updated ${colleague.id}`,
    `user.updated ${worker.id}`,
    "team.changed",
    `user.deleted ${colleague.id}`,
    "role.changed",
  ])
  assert.deepEqual(published(ofWorker.frames), [`user.updated ${worker.id}`, "role.changed"])
  await Promise.all([ofPlanner.close(), ofWorker.close()])
})

test("every kind of event makes the console read something again", () => {
  const elsewhere = ["position.moved"]
  const silent = Object.keys(liveEventTypes).filter((type) => queryKeysOf({ type, content: {} }).length === 0)
  assert.deepEqual(silent.sort(), elsewhere.sort())
})
