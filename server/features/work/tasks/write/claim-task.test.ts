import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, aTask, aUser } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { aCompany } from "../fixtures/companies.ts"

test("of people who take an unassigned task at once exactly one gets it, and only in their hubs", async (t) => {
  const { sql, as } = await testApp(t)
  const { org, hub, flow } = await aCompany(sql)
  const permissions = ["view/task", "view/task/only-me", "do/task", "task/claim"] as const
  const people = await Promise.all(
    [1, 2, 3].map(() => aUser(sql, { org, hubs: [hub], permissions: [...permissions] })),
  )
  const [eva] = people
  assert.ok(eva)
  const [near, far] = [await aTask(sql, { org, hub, flow }), await aTask(sql, { org, hub, flow })]
  const elsewhere = await aTask(sql, { org, hub: await aHub(sql, { org }), flow })
  await sql`update tasks set lat = 52.1, lng = 5.1 where id = ${near.id}`
  await sql`update tasks set lat = 53.1, lng = 5.1 where id = ${far.id}`
  const list = async () => (await as(eva).expect(200).get("/claimable-tasks?near=52.101,5.1")).json().data
  const listed = (await list()) as { _id: string; distance: number }[]
  assert.deepEqual(
    listed.map(({ _id }) => _id),
    [near.id, far.id],
  )
  assert.equal(listed[0]?.distance, 111)
  const replies = await Promise.all(people.map((person) => as(person).post(`/task-claims/${near.id}`)))
  assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409, 409])
  const winner = people[replies.findIndex(({ statusCode }) => statusCode === 200)]
  assert.ok(winner)
  const { task } = (await as(winner).expect(200).get(`/task/${near.id}`)).json()
  assert.deepEqual([task.status, task.assignee], ["ONGOING", [winner.email]])
  await as(winner).expect(200).post(`/task-claims/${near.id}`)
  assert.deepEqual(
    (await list()).map(({ _id }: { _id: string }) => _id),
    [far.id],
  )
  await as(eva).expect(404).post(`/task-claims/${elsewhere.id}`)
  await as(eva).expect(400).get("/claimable-tasks?near=here")
  const other = await aUser(sql, { org, hubs: [hub], permissions: ["view/task", "do/task"] })
  await as(other).expect(403).post(`/task-claims/${far.id}`)
})
