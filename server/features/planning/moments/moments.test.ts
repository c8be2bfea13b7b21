import assert from "node:assert/strict"
import { test } from "node:test"
import { findCaller, toCaller } from "#core/access/caller.ts"
import { hashToken } from "#core/access/token.ts"
import { aHub, anOrganization, aTask, aTeam, aUser } from "#samples/builders.ts"
import { toT3 } from "#shared/wire-time.ts"
import { seededRandom } from "#testing/attack/attack-values.ts"
import { testOrganization, tokenOf } from "#testing/test-app.ts"
import { pastDays, tasksAt } from "../../work/tasks/index.ts"

const steps = process.env.FIELDWAY_LONG ? 600 : 24
const moments = process.env.FIELDWAY_LONG ? 10_000 : 40
/** Steps are so far apart that the minutes of all moments differ. */
const minutesOfStep = 30
const callsAtOnce = 4
const minutes = 60_000
const days = 86_400_000

interface Was {
  id: string
  status: string
  start: number
  end: number
  line: string
}

test("any past minute is as it was, whatever changed since", { timeout: 3_600_000 }, async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const hubs = [await aHub(sql, { org }), await aHub(sql, { org })] as const
  const people = [
    await aUser(sql, { org, role: "field user", hubs: [...hubs] }),
    await aUser(sql, { org, role: "field user", hubs: [...hubs] }),
  ] as const
  const owner = as(org.owner)
  const random = seededRandom(20_310_507)
  // An hour before midnight: moments of the next day have open tasks from the day before.
  const start = Math.floor(Date.now() / days - 16) * days + 23 * 60 * minutes
  const timeOf = (step: number) => start + step * minutesOfStep * minutes
  const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds)
  const readRows = () => sql<Was[]>`
    select id, status, extract(epoch from start_time)::float8 * 1000 as start, extract(epoch from end_time)::float8 * 1000 as end,
      concat_ws('|', title, status, assignee, hub_id, order_index, lat, lng, extract(epoch from start_time)::bigint,
      extract(epoch from end_time)::bigint) as line from tasks where organization_id = ${org.id}`
  const create = async (index: number, at: number) => {
    const task = await aTask(sql, { org, hub: hubs[index % 2 === 0 ? 0 : 1], assignee: [people[0]] })
    const [from, to] = [instant(at), instant(at + 20 * minutes)]
    await sql`update tasks set start_time = ${from}, end_time = ${to}, order_index = ${index} where id = ${task.id}`
  }
  for (let index = 0; index < 6; index++) await create(index, timeOf(0))
  await sql`update audit_parts set time = ${instant(timeOf(0) - 10 * minutes)} where organization_id = ${org.id}`
  const history = [await readRows()]
  const positions: { email: string; lat: number; at: number }[] = []
  for (let step = 1; step <= steps; step++) {
    const known = history.at(-1) ?? []
    const task = known[random(known.length)]
    if (!task) break
    const day = timeOf(step) + ([-1, 0, 0, 1, 9][random(5)] ?? 0) * days
    const window = {
      startTime: toT3({ epochMilliseconds: day }),
      endTime: toT3({ epochMilliseconds: day + ([0, 1, 2, 20][random(4)] ?? 0) * days + 120 * minutes }),
    }
    const changes = [
      () =>
        owner.put("/tasks/bulk/assign", { tasks: [{ _id: task.id, assignee: [people[random(2)]?.email] }] }),
      () => owner.patch(`/task/${task.id}`, { orderIndex: random(90) }),
      () => owner.patch(`/task/${task.id}`, window),
      () => sql`update tasks set lat = ${52 + step / 1000}, lng = 5 where id = ${task.id}`,
      () => owner.put("/tasks/bulk/move", { tasks: [{ _id: task.id, hubId: hubs[random(2)]?.id }] }),
      () =>
        known.length > 3 + random(20) ? owner.delete(`/task/${task.id}`) : create(step, timeOf(step - 4)),
      // Done just now, entered hours later, or with a clock that is fast; then corrected or opened again.
      () => {
        const done = instant(timeOf(step) - ([0, 4, 300, -60][random(4)] ?? 0) * minutes)
        return sql`
          update tasks set done_time = ${done},
            status = case when status = 'DONE' and ${random(2)}::int = 0 then 'ONGOING' else 'DONE' end where id = ${task.id}`
      },
      async () => {
        const { data } = (await owner.expect(200).get("/trash?limit=1")).json()
        if (data[0]) await owner.expect(200).post(`/trash/${data[0]._id}/restore`)
      },
      async () => {
        const position = { email: people[random(2)]?.email ?? "", lat: 52 + step / 1000, at: timeOf(step) }
        const person = people.find(({ email }) => email === position.email) ?? people[0]
        const createdTime = toT3(instant(position.at))
        await as(person).expect(201).post("/location-history", { lat: position.lat, lon: 5, createdTime })
        positions.push(position)
      },
    ]
    await changes[random(changes.length)]?.()
    await sql`update audit_parts set time = ${instant(timeOf(step))} where organization_id = ${org.id} and time > now() - interval '1 hour'`
    history.push(await readRows())
  }
  const row = await findCaller(sql, org.id, hashToken(await tokenOf(sql, org.owner)))
  assert.ok(row)
  const caller = toCaller(row)
  const lineOf = (task: Record<string, unknown>) =>
    [
      ...[task.title, task.status, `{${(task.assignee as string[]).join(",")}}`, task.hubId, task.orderIndex],
      ...[task.lat, task.lon],
      ...[task.startTime, task.endTime].map((time) => Date.parse(String(time)) / 1000),
    ]
      .filter((part) => part !== null)
      .join("|")
  /** Whether the day of a moment has a task: its own ones, and open ones from before that are due since the day before. */
  const isOfDay = (at: number) => {
    const from = Math.floor(at / days) * days
    return ({ status, start, end }: Was) =>
      start < from + days && (start >= from || (status !== "DONE" && end >= from - days))
  }
  const routesOf = (routes: { email: string }[]) => new Map(routes.map((route) => [route.email, route]))
  let shown = 0
  const compare = async (minute: number) => {
    const at = start + minute * minutes
    const { data } = (await owner.expect(200).get(`/moment?time=${instant(at)}`)).json()
    const found = Object.fromEntries(
      data.tasks.map((task: Record<string, unknown>) => [task._id, lineOf(task)]),
    )
    // Most days are in memory; read by itself, the moment is the same.
    const moment = { at: instant(at), hubIds: undefined, maxTasks: 20_000, fields: undefined }
    const read = await tasksAt(sql, caller, pastDays(), moment)
    assert.deepEqual(JSON.parse(read.tasks), data.tasks, `minute ${minute}`)
    assert.deepEqual(routesOf(JSON.parse(read.routes)), routesOf(data.routes), `routes of minute ${minute}`)
    const rows = (history[Math.floor(minute / minutesOfStep)] ?? []).filter(isOfDay(at))
    assert.deepEqual(found, Object.fromEntries(rows.map(({ id, line }) => [id, line])), `minute ${minute}`)
    const latest = people.flatMap(({ email }) => {
      const last = positions.findLast((one) => one.email === email && one.at <= at)
      return last && last.at > at - 480 * minutes ? [[email, last.lat]] : []
    })
    assert.deepEqual(
      data.people.map(({ email, lat }: Record<string, unknown>) => [email, lat]).toSorted(),
      latest.toSorted(),
      `positions of minute ${minute}`,
    )
    shown += rows.length
  }
  const chosen = new Set<number>()
  while (chosen.size < moments) chosen.add(random(history.length * minutesOfStep))
  const left = [...chosen]
  const compareRest = async () => {
    for (let minute = left.pop(); minute !== undefined; minute = left.pop()) await compare(minute)
  }
  await Promise.all(Array.from({ length: callsAtOnce }, compareRest))
  assert.ok(shown > moments, `${shown} tasks were compared`)
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
  const part = await as(planner)
    .expect(200)
    .get(`/moment?time=${at(20)}&fields=title,title,constructor`)
  assert.deepEqual(
    part.json().data.tasks.map((task: object) => Object.keys(task).join()),
    ["_id,title", "_id,title"],
  )
  const none = await as(planner)
    .expect(200)
    .get(`/moment?time=${at(20)}&fields=constructor`)
  assert.deepEqual(
    none.json().data.tasks.map((task: object) => Object.keys(task).join()),
    ["_id", "_id"],
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
  // What others have written since does not push out what somebody may read.
  const elsewhere = await aTask(sql, { org, hub: other })
  await as(org.owner)
    .expect(201)
    .post("/message", { taskId: elsewhere.id, messageId: "elsewhere", text: "Call me" })
  await sql`
    insert into messages (organization_id, id, about, about_id, client_id, author_id, author_email, author_name, text,
      written_time, created_time)
    select organization_id, lpad(n::text, 24, '0'), about, about_id, 'more ' || n, author_id, author_email, author_name, text,
      written_time, ${at(12)}::timestamptz
    from messages m, generate_series(1, 120) n where m.organization_id = ${org.id} and m.about_id = ${elsewhere.id}`
  assert.deepEqual(aboutsOf(await moment(planner, 10)), ["person", "task"])
  const [team, otherTeam] = [await aTeam(sql, { org, hub }), await aTeam(sql, { org, hub })]
  const permissions = ["view/tracking", "view/task"] as const
  const [lead, otherLead] = [
    await aUser(sql, { org, hubs: [hub], teams: [team], permissions }),
    await aUser(sql, { org, hubs: [hub], teams: [otherTeam], permissions }),
  ]
  await sql`insert into user_teams (organization_id, user_id, team_id) values (${org.id}, ${driver.id}, ${team.id})`
  const counts = [lead, otherLead].map(async (user) => (await moment(user, 20)).tasks.length)
  assert.deepEqual(await Promise.all(counts), [2, 0], "teams narrow the past as they do the present")
  const hidden = await moment(stranger, 20)
  assert.deepEqual([hidden.people, hidden.tasks, hidden.routes], [[], [], []])
  // Who had access to the hub that the task was in saw it then, and who has access to its hub now sees it now.
  await sql`update tasks set hub_id = ${other.id} where organization_id = ${org.id} and id = ${told?.id ?? ""}`
  await sql`
    update audit_parts set time = ${at(3)} where organization_id = ${org.id} and object_id = ${told?.id ?? ""} and change = 'update'
      and before ? 'hub_id'`
  const tasksOf = async (user: typeof driver, minutes: number) =>
    (await moment(user, minutes)).tasks.map(({ _id }: { _id: string }) => _id === told?.id).toSorted()
  assert.deepEqual([await tasksOf(planner, 4), await tasksOf(stranger, 4)], [[false, true], []])
  assert.deepEqual([await tasksOf(planner, 2), await tasksOf(stranger, 2)], [[false], [true]])
  await as(org.owner).expect(200).delete(`/user/${driver.id}`)
  const named = async (user: typeof driver) =>
    (await moment(user, 20)).people.map(({ name }: { name: string }) => name)
  assert.deepEqual([await named(org.owner as typeof driver), await named(planner)], [[driver.email], []])
  const foreign = await moment((await anOrganization(sql)).owner as typeof driver, 20)
  assert.deepEqual([foreign.people, foreign.tasks], [[], []])
  assert.equal((await as(planner).get(`/moment?time=${at(-60)}`)).statusCode, 400)
})

test("a result counts from when it was entered, and a restored task was there before", async (t) => {
  const { sql, as, org } = await testOrganization(t)
  const owner = as(org.owner)
  const hub = await aHub(sql, { org })
  const at = (minutes: number) => Temporal.Now.instant().subtract({ minutes })
  const [old, lost] = [await aTask(sql, { org, hub }), await aTask(sql, { org, hub })]
  /** The latest changes of a task were so long ago. */
  const changed = ({ id }: { id: string }, minutes: number) => sql`
    update audit_parts set time = ${at(minutes)} where organization_id = ${org.id} and object_id = ${id} and time > ${at(1)}`
  // Yesterday's task, done five hours ago by its own time, was open until that was entered an hour ago.
  await sql`update tasks set start_time = ${at(1_800)}, end_time = ${at(1_200)} where id = ${old.id}`
  await changed(old, 1_800)
  await sql`update tasks set status = 'DONE', done_time = ${at(300)} where id = ${old.id}`
  await changed(old, 60)
  await sql`update tasks set start_time = ${at(120)}, end_time = ${at(0)} where id = ${lost.id}`
  await changed(lost, 80)
  await owner.expect(200).delete(`/task/${lost.id}`)
  await changed(lost, 40)
  const { data } = (await owner.get("/trash")).json()
  await owner.expect(200).post(`/trash/${data[0]._id}/restore`)
  await changed(lost, 20)
  const shown = async (minutes: number) => {
    const { tasks } = (await owner.get(`/moment?time=${at(minutes)}`)).json().data
    return [old, lost].map(({ id }) => tasks.some(({ _id }: { _id: string }) => _id === id))
  }
  const then = [
    [70, [true, true]],
    [50, [false, true]],
    [30, [false, false]],
    [15, [false, true]],
  ] as const
  for (const [ago, expected] of then) assert.deepEqual(await shown(ago), expected, `${ago} ago`)
})
