import assert from "node:assert/strict"
import { test } from "node:test"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { etaJobs, readEstimates } from "./index.ts"
import { storeEstimates } from "./store-estimates.ts"

const [job] = etaJobs
assert(job)
const pages = [
  {
    id: "page0",
    components: [
      { id: "place", component: "input", type: "Coordinate", title: "Place", showAs: "expectedCoordinate" },
    ],
  },
]

/** Stops along a street, 1,000 m apart, that a courier makes one after the other. */
async function aRound({ sql, as }: TestApp, stops: number) {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org, pages })
  const permissions = ["do/task", "view/task", "view/checkincheckout"] as const
  const courier = await aUser(sql, { org, hubs: [hub], permissions: [...permissions] })
  const owner = as(org.owner)
  const ids: string[] = []
  for (let place = 1; place <= stops; place++) {
    const body = { flow: flow.name, hubId: hub.id, place: `0,${1 + place * 0.01}`, assignee: [courier.email] }
    ids.push((await owner.expect(201).post("/task", body)).json().task._id)
    await sql`
      update tasks set attributes = attributes || ${sql.json({ routePlannedOrder: place })}::jsonb,
        order_index = ${place} where id = ${ids.at(-1) ?? ""}`
  }
  return { org, owner, courier, ids }
}

const minutesAfter = (time: string, now: Temporal.Instant) =>
  Math.round((Temporal.Instant.from(time).epochMilliseconds - now.epochMilliseconds) / 60_000)

test("stops on the way show when the courier is expected, follow their day, and announce changes and lateness", async (t) => {
  const app = await testApp(t)
  const { sql, clock, as } = app
  const { org, owner, courier, ids } = await aRound(app, 3)
  const phone = as(courier)
  const at = (lng: number) =>
    phone.expect(201).post("/location-history", { lat: 0, lon: lng, createdTime: clock.now().toString() })
  const listed = async () => {
    await job.handle(app.jobContext(), {})
    const { tasks } = (await owner.expect(200).get("/tasks?sortBy=orderIndex&sortOrder=asc")).json()
    return tasks.data as { estimatedArrival?: string; estimatedArrivalWindow?: Record<string, unknown> }[]
  }
  const minutes = async () =>
    (await listed()).map(({ estimatedArrival }) =>
      estimatedArrival === undefined ? undefined : minutesAfter(estimatedArrival, clock.now()),
    )
  const events = async () =>
    (
      await sql<{ event: string; reference_ids: string }[]>`
        select event, reference_ids from domain_events
        where organization_id = ${org.id} and event in ('onEtaChanged', 'onTaskLate') order by event`
    ).map(({ event }) => event)

  await at(1)
  // 1,112 m times 1.3 at 30 km/h are 3 minutes, and each visit takes 10.
  assert.deepEqual(await minutes(), [3, 16, 29])
  const [, second] = await listed()
  assert.equal(second?.estimatedArrivalWindow?.stopsBefore, 1)
  assert.equal(second?.estimatedArrivalWindow?.basis, "straight")
  assert.equal((await readEstimates(sql, ids)).size, 3)
  assert.deepEqual(await events(), [])

  await phone
    .expect(200)
    .patch(`/task/${ids[0]}`, { arrivedTime: clock.now().add({ minutes: 3 }).toString() })
  clock.move({ minutes: 5 })
  await at(1.01)
  assert.deepEqual(await minutes(), [undefined, 11, 24])

  // Half an hour at the first stop: the others are expected later, and the last one after its end.
  await owner.expect(200).patch(`/task/${ids[2]}`, { endTime: clock.now().add({ minutes: 40 }).toString() })
  clock.move({ minutes: 30 })
  await at(1.0101)
  const [, , last] = await listed()
  assert.equal(last?.estimatedArrivalWindow?.isLate, true)
  assert.deepEqual(await events(), ["onEtaChanged", "onTaskLate"])

  await phone.expect(200).patch(`/task/${ids[0]}`, { leftTime: clock.now().toString() })
  await owner.expect(200).put(`/task/${ids[1]}/assign`, { assignee: [] })
  assert.deepEqual(await minutes(), [undefined, undefined, 6])
})

test("a task that is deleted while arrivals are computed leaves the estimates of the others", async (t) => {
  const app = await testApp(t)
  const { org, owner, courier, ids } = await aRound(app, 2)
  const { sql, live } = app.jobContext()
  await owner.expect(200).delete(`/task/${ids[1]}`)
  const now = app.clock.now()
  const arrival = now.epochMilliseconds / 1000 + 600
  const [task] = await app.sql<{ hubId: string }[]>`select hub_id from tasks where id = ${ids[0] ?? ""}`
  const estimates = ids.map((taskId) => ({
    ...{ taskId, hubId: task?.hubId ?? "", email: courier.email, basis: "straight" as const },
    ...{ arrival, earliest: arrival, latest: arrival, modelArrival: arrival, deadline: arrival + 60 },
    ...{ deviation: 0, stopsBefore: 0, opens: null },
  }))
  await storeEstimates({ sql, live, now }, org.id, [{ email: courier.email, stops: 2, estimates }])
  assert.deepEqual([...(await readEstimates(app.sql, ids)).keys()], [ids[0]])
})
