import assert from "node:assert/strict"
import { test } from "node:test"
import { aHub, anOrganization, aTask, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { testOrganization } from "#testing/test-app.ts"

const steps = process.env.FIELDWAY_LONG ? 600 : 24
const moments = process.env.FIELDWAY_LONG ? 10_000 : 40

test("any past minute is as it was, whatever changed since", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hubs = [await aHub(sql, { org }), await aHub(sql, { org })] as const
  const people = [
    await aUser(sql, { org, role: "field user", hubs: [...hubs] }),
    await aUser(sql, { org, role: "field user", hubs: [...hubs] }),
  ] as const
  const owner = as(org.owner)
  let seed = 20_310_507
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  const start = Math.floor(Date.now() / 1000) * 1000 - 3 * 86_400_000
  const minuteOf = (step: number) => Temporal.Instant.fromEpochMilliseconds(start + step * 60_000)
  const read = () => sql<{ id: string; line: string }[]>`
    select id, concat_ws('|', title, status, assignee, hub_id, order_index, extract(epoch from start_time)::bigint,
      extract(epoch from end_time)::bigint) as line from tasks
    where organization_id = ${org.id} and start_time <= ${minuteOf(0).add({ hours: 30 })}
      and end_time >= ${minuteOf(0).subtract({ hours: 20 })}`
  for (let index = 0; index < 6; index++) {
    const task = await aTask(sql, { org, hub: hubs[index % 2 === 0 ? 0 : 1], assignee: [people[0]] })
    await sql`update tasks set start_time = ${minuteOf(0)}, end_time = ${minuteOf(120)}, order_index = ${index} where id = ${task.id}`
  }
  await sql`update audit_parts set time = ${minuteOf(-10)} where organization_id = ${org.id}`
  const history = [await read()]
  for (let step = 1; step <= steps; step++) {
    const known = await sql<
      { id: string; status: string }[]
    >`select id, status from tasks where organization_id = ${org.id} order by id`
    const task = known[random(known.length)]
    if (!task) break
    const day = random(2) * 5 * 86_400_000
    const window = {
      startTime: toT3({ epochMilliseconds: start + day }),
      endTime: toT3({ epochMilliseconds: start + day + 7_200_000 }),
    }
    const changes = [
      () =>
        owner.put("/tasks/bulk/assign", { tasks: [{ _id: task.id, assignee: [people[random(2)]?.email] }] }),
      () => owner.patch(`/task/${task.id}`, { orderIndex: random(90) }),
      () => owner.patch(`/task/${task.id}`, window),
      () => owner.put("/tasks/bulk/move", { tasks: [{ _id: task.id, hubId: hubs[random(2)]?.id }] }),
      () => (known.length > 3 ? owner.delete(`/task/${task.id}`) : aTask(sql, { org, hub: hubs[0] })),
      () =>
        sql`update tasks set status = 'DONE', done_time = now() where id = ${task.id} and status = 'ONGOING'`,
    ]
    await changes[random(changes.length)]?.()
    await sql`update audit_parts set time = ${minuteOf(step).subtract({ seconds: 30 })} where organization_id = ${org.id} and time > now() - interval '1 hour'`
    history.push(await read())
  }
  const lineOf = (task: Record<string, unknown>) =>
    [
      ...[task.title, task.status, `{${(task.assignee as string[]).join(",")}}`, task.hubId, task.orderIndex],
      ...[task.startTime, task.endTime].map((time) => Date.parse(String(time)) / 1000),
    ]
      .filter((part) => part !== null)
      .join("|")
  for (let index = 0; index < moments; index++) {
    const step = random(history.length)
    const { data } = (await owner.get(`/moment?time=${minuteOf(step)}`)).json()
    const found = Object.fromEntries(
      data.tasks.map((task: Record<string, unknown>) => [task._id, lineOf(task)]),
    )
    assert.deepEqual(
      found,
      Object.fromEntries((history[step] ?? []).map(({ id, line }) => [id, line])),
      `minute ${step}`,
    )
  }
})

test("a moment shows positions and routes within the caller's hubs", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const driver = await aUser(sql, { org, role: "field user", hubs: [hub] })
  const planner = await aUser(sql, { org, role: "planner", hubs: [hub] })
  const stranger = await aUser(sql, { org, role: "planner", hubs: [other] })
  const at = (minutes: number) => Temporal.Now.instant().subtract({ minutes })
  for (const [minutes, lat] of [
    [60, 52],
    [30, 52.1],
    [5, 52.2],
  ] as const)
    await as(driver).post("/location-history", { lat, lon: 5, createdTime: toT3(at(minutes)) })
  for (const order of [2, 1]) {
    const task = await aTask(sql, { org, hub, assignee: [driver] })
    await sql`update tasks set order_index = ${order}, title = ${`T${order}`} where id = ${task.id}`
  }
  await sql`update audit_parts set time = now() - interval '2 hours' where organization_id = ${org.id}`
  const moment = async (user: typeof driver, minutes: number) =>
    (await as(user).get(`/moment?time=${at(minutes)}`)).json().data
  const seen = await moment(planner, 20)
  assert.deepEqual(
    seen.people.map(({ email, lat }: Record<string, unknown>) => [email, lat]),
    [[driver.email, 52.1]],
  )
  const titles = new Map(seen.tasks.map(({ _id, title }: Record<string, string>) => [_id, title]))
  assert.deepEqual(
    seen.routes.map(({ taskIds }: { taskIds: string[] }) => taskIds.map((id) => titles.get(id))),
    [["T1", "T2"]],
  )
  assert.deepEqual((await moment(planner, 90)).people, [])
  const [told] = await sql<{ id: string }[]>`
    select id from tasks where organization_id = ${org.id} and hub_id = ${hub.id} limit 1`
  for (const to of [{ taskId: told?.id }, { userId: driver.id }])
    await as(driver)
      .expect(201)
      .post("/message", { ...to, messageId: `message-${to.taskId ?? "own"}`, text: "Gate is locked" })
  await sql`update messages set created_time = ${at(15)} where organization_id = ${org.id}`
  const aboutsOf = ({ messages }: { messages: { about: string }[] }) =>
    messages.map(({ about }) => about).toSorted()
  assert.deepEqual(aboutsOf(await moment(planner, 10)), ["person", "task"])
  assert.deepEqual(aboutsOf(await moment(planner, 20)), [])
  assert.deepEqual(aboutsOf(await moment(stranger, 10)), [])
  const hidden = await moment(stranger, 20)
  assert.deepEqual([hidden.people, hidden.tasks, hidden.routes], [[], [], []])
  const foreign = await moment((await anOrganization(sql)).owner as typeof driver, 20)
  assert.deepEqual([foreign.people, foreign.tasks], [[], []])
  assert.equal((await as(planner).get(`/moment?time=${at(-60)}`)).statusCode, 400)
})
