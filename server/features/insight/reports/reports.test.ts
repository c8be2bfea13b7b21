import assert from "node:assert/strict"
import { test } from "node:test"
import { json } from "#core/database/database.ts"
import {
  aFlow,
  aHub,
  anOrganization,
  aTask,
  aTeam,
  aUser,
  type Organization,
  type Person,
} from "#samples/builders.ts"
import { aSession } from "#samples/location-builders.ts"
import { isReportMetric, type ReportMetric, reportMetrics } from "#shared/report-metrics.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { verifyRollups } from "../rollups/index.ts"

interface Row {
  key: Record<string, string>
  values: Record<string, number | null>
  compared: Record<string, number | null> | null
  missed: string[]
  tasks: Record<string, string>
  sessions: Record<string, string>
  alarms: Record<string, string>
}

interface Listed {
  rows: Record<string, number>[]
  count: number
}

async function listOf(me: ReturnType<TestApp["as"]>, path: string): Promise<Listed> {
  return (await me.expect(200).get(`/reports/${path}`)).json().data
}

function sumOf(rows: Listed["rows"], name: string): number {
  return rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)
}

interface Report {
  rows: Row[]
  total: Row
  isComplete: boolean
}

/** A repeatable choice. */
function chooser(seed: number) {
  let state = seed
  return <T>(list: readonly T[]): T => {
    state = (state * 1103515245 + 12345) % 2147483648
    return list[Math.floor((state / 2147483648) * list.length)] as T
  }
}

/** Tasks around the ends of months and days of a zone that is not at whole hours. */
async function aWorkedMonth({ sql }: TestApp) {
  const org = await anOrganization(sql, { timeZone: "Asia/Kolkata" })
  const hubs = [await aHub(sql, { org }), await aHub(sql, { org })] as const
  const flows = [await aFlow(sql, { org }), await aFlow(sql, { org })]
  const people = [
    await aUser(sql, { org, hubs: [hubs[0]], permissions: ["view/dashboard", "view/task", "do/task"] }),
    await aUser(sql, {
      org,
      hubs: [hubs[1]],
      permissions: ["view/dashboard", "view/task", "view/task/only-me"],
    }),
  ]
  const choose = chooser(7)
  const start = Temporal.Instant.from("2031-04-28T16:00:00Z")
  for (let i = 0; i < 40; i += 1) {
    const startTime = start.add({ minutes: i * 143 })
    const assignee = [choose([...people, org.owner])]
    const status = choose(["DONE", "DONE", "DONE", "ONGOING"] as const)
    const doneTime = startTime.add({ minutes: choose([5, 50, 200]) })
    const task = await aTask(sql, {
      ...{ org, hub: choose(hubs), flow: choose(flows), status, assignee, startTime, doneTime },
      endTime: startTime.add({ minutes: 60 }),
      createdTime: startTime.subtract({ hours: 20 }),
    })
    const outcome = choose([undefined, undefined, "failed", "partial"])
    const isLate = Temporal.Instant.compare(doneTime, startTime.add({ minutes: 60 })) > 0
    const attributes = {
      ...(outcome ? { outcome, outcomeReason: choose(["nobody home", 'refused "it"']) } : {}),
      ...(isLate ? { isLate, ...choose([{ lateReason: "traffic" }, {}]) } : {}),
      ...choose([{ previousTaskId: "x", attempt: 2 }, {}]),
      ...choose([{ arrivedTime: doneTime.subtract({ minutes: 4 }).toString() }, {}]),
    }
    if (status === "DONE")
      await sql`update tasks set attributes = ${json(sql, attributes)} where organization_id = ${org.id} and id = ${task.id}`
    if (status === "ONGOING" && i % 2 === 0)
      await sql`
        insert into task_estimates (organization_id, task_id, email, arrival, earliest, latest, stops_before, basis, deadline,
          published_arrival, computed_at)
        select organization_id, id, assignee[1], end_time + interval '1 minute', start_time, end_time, 0, 'road', end_time, end_time,
          now() from tasks where organization_id = ${org.id} and id = ${task.id}`
    if (status === "DONE" && i % 5 === 0) await rate({ sql }, org, task.id, (i % 4) + 2)
  }
  return { org, hubs, flows, people: people as [Person, Person] }
}

async function rate({ sql }: Pick<TestApp, "sql">, org: Organization, taskId: string, stars: number) {
  await sql`
    insert into customer_feedback (organization_id, id, task_id, hub_id, flow_id, kind, stars, created_time)
    select organization_id, id, id, hub_id, flow_id, 'rating', ${stars}, now() from tasks
    where organization_id = ${org.id} and id = ${taskId}`
}

const range = "from=2031-04-29&until=2031-05-02"
const counts = Object.keys(reportMetrics).filter((name) => {
  const metric: ReportMetric | undefined = isReportMetric(name) ? reportMetrics[name] : undefined
  return metric?.unit === "count" && metric.tasks !== undefined && name !== "stops"
})

test("every count is as long as its list, by every group and for every kind of member", async (t) => {
  const app = await testApp(t)
  const { org, hubs, people } = await aWorkedMonth(app)
  const team = await aTeam(app.sql, { org, hub: hubs[0] })
  const permissions = ["view/dashboard", "view/task"] as const
  const mate = await aUser(app.sql, { org, hubs: [...hubs], teams: [team], permissions })
  for (const [person, groups] of [
    [org.owner, ["day,hub", "week,person", "weekday", "hour", "person", "flow,month", ""]],
    [org.owner, ["outcome", "reason", "lateReason,person"]],
    [people[0], ["person,hub"]],
    [people[1], ["day"]],
    [mate, ["person"]],
  ] as const)
    for (const groupBy of groups) {
      const metrics = counts.filter(
        (name) => groupBy.match(/outcome|reason/i) === null || !/created|planned|due|expectedLate/.test(name),
      )
      const query = `metrics=${metrics}&groupBy=${groupBy}&${range}`
      const { data } = (await app.as(person).expect(200).get(`/reports/figures?${query}`)).json()
      // A third of the metrics by each group; all of all in the long version.
      const checked = metrics.filter(
        (_, index) => process.env.FIELDWAY_LONG || index % 3 === groupBy.length % 3,
      )
      await checkLists(app, person, data, checked, groupBy)
    }
})

async function checkLists(
  app: TestApp,
  person: Person,
  report: Report,
  metrics: readonly string[],
  groupBy: string,
) {
  assert.ok(report.isComplete)
  assert.ok(groupBy === "" || report.rows.length > 0)
  for (const metric of metrics) {
    const sum = report.rows.reduce((total, row) => total + (row.values[metric] ?? 0), 0)
    if (groupBy !== "") assert.equal(sum, report.total.values[metric], `${metric} by ${groupBy}`)
    const row =
      report.rows.toSorted((a, b) => (b.values[metric] ?? 0) - (a.values[metric] ?? 0))[0] ?? report.total
    const query = new URLSearchParams(row.tasks[metric])
    const conditions = [query.has("isLate") ? '"_isLate"' : "", ...JSON.parse(query.get("filter") ?? "").and]
    const fields = conditions.flatMap((one) => JSON.stringify(one).match(/"_isLate"|"_outcome"/g) ?? [])
    assert.equal(new Set(fields).size, fields.length, `${row.tasks[metric]} says each thing once`)
    const { tasks: list } = (
      await app.as(person).expect(200).get(`/tasks?limit=1&${row.tasks[metric]}`)
    ).json()
    assert.equal(
      list.total,
      row.values[metric],
      `${metric} of ${JSON.stringify(row.key)}: ${row.tasks[metric]}`,
    )
  }
}

test("figures follow each change at once, and the rollups verify and repair themselves", async (t) => {
  const app = await testApp(t)
  const { sql, as } = app
  const org = await anOrganization(sql, { timeZone: "Europe/Lisbon" })
  const [hub, other] = [await aHub(sql, { org }), await aHub(sql, { org })]
  const flow = await aFlow(sql, { org })
  const at = Temporal.Instant.from("2031-03-30T00:30:00Z")
  const task = await aTask(sql, {
    org,
    hub,
    flow,
    status: "DONE",
    doneTime: at,
    startTime: at,
    createdTime: at,
  })
  const figures = async (query: string): Promise<Report> =>
    (await as(org.owner).expect(200).get(`/reports/figures?from=2031-03-01&until=2031-03-31&${query}`)).json()
      .data
  const finished = async () =>
    (await figures("metrics=finished&groupBy=hub")).rows.map(({ key, values }) => [key.hub, values.finished])
  assert.deepEqual(await finished(), [[hub.id, 1]])
  await sql`update tasks set hub_id = ${other.id} where organization_id = ${org.id} and id = ${task.id}`
  assert.deepEqual(await finished(), [[other.id, 1]])
  await as(org.owner)
    .expect(200)
    .put("/reports/settings", {
      costs: { perSession: 0, perHour: 10, perKilometer: 1 },
      targets: [
        { metric: "onTimeRate", target: 1 },
        { metric: "costPerStop", target: 5 },
      ],
    })
  await aSession(sql, { org, person: org.owner, startedAt: at })
  const { rows } = await figures(
    "metrics=costPerStop,onTimeRate,attendedHours&groupBy=month&compareTo=previous",
  )
  const [row] = rows
  assert.ok(row)
  assert.deepEqual(row.values, { costPerStop: 21.119, onTimeRate: 1, attendedHours: 1 })
  assert.deepEqual(row.missed, ["costPerStop"])
  assert.deepEqual(row.compared, { costPerStop: null, onTimeRate: null, attendedHours: 0 })
  for (const [alarm, second] of [
    ["overspeed", 0],
    ["overspeed", 20],
    ["harsh-braking", 30],
    ["overspeed", 300],
    ["sos", 40],
  ] as const)
    await sql`
      insert into device_alarms (organization_id, user_id, alarm, recorded_at, received_at)
      values (${org.id}, ${org.owner.id}, ${alarm}, ${at.add({ seconds: second })}, now())`
  const driving = await figures("metrics=speeding,harshDriving&groupBy=person,hour")
  assert.deepEqual(
    driving.rows.map(({ key, values }) => [key.person, values.speeding, values.harshDriving]),
    [[org.owner.email, 2, 1]],
  )
  for (const { key, values, alarms } of driving.rows)
    for (const kind of ["speeding", "harshDriving"]) {
      const list = await listOf(as(org.owner), `alarms?${alarms[kind]}`)
      assert.equal(list.count, values[kind], `${kind} of ${JSON.stringify(key)}`)
      assert.deepEqual(
        list.rows.map((alarm) => alarm.email),
        Array(list.count).fill(org.owner.email),
      )
    }
  const driver = await aUser(sql, { org, hubs: [other] })
  await aSession(sql, { org, person: driver, startedAt: at.add({ hours: 2 }) })
  for (const groupBy of ["hub", "person", "day,hour", "vehicle", "weekday,hub", "month", "week"]) {
    const worked = await figures(`metrics=sessions,attendedHours,kilometers&groupBy=${groupBy}`)
    for (const { key, values, sessions } of [...worked.rows, worked.total]) {
      const { rows: listed, count } = await listOf(as(org.owner), `sessions?${sessions.kilometers}`)
      const sums = [count, sumOf(listed, "hours"), sumOf(listed, "kilometers")]
      assert.deepEqual(sums, [values.sessions, values.attendedHours, values.kilometers], JSON.stringify(key))
    }
  }
  const mate = await aUser(sql, { org, hubs: [hub], permissions: ["view/dashboard"] })
  for (const list of ["sessions", "alarms"])
    assert.equal((await listOf(as(mate), `${list}?from=2031-03-01&until=2031-03-31`)).count, 0)
  const file = await as(org.owner).get(
    "/reports/file?metrics=finished,onTimeRate&groupBy=hub&from=2031-03-01&until=2031-03-31&download=csv",
  )
  assert.match(file.body, /^\uFEFF?Hub,Finished,On-time rate\r?\n[^\n]*,1,1\r?\nTotal,1,1/)
  const pdf = await as(org.owner).get(
    "/reports/file?metrics=finished,costPerStop&groupBy=hub,month&from=2031-03-01&until=2031-03-31&download=pdf&language=ar",
  )
  assert.equal(pdf.headers["content-type"], "application/pdf")
  assert.equal(pdf.rawPayload.subarray(0, 5).toString(), "%PDF-")
  const now = Temporal.Instant.from("2031-05-01T00:00:00Z")
  const verify = async (repair = false) =>
    (await verifyRollups(sql, org.id, { now, repair })).differences.length
  assert.equal(await verify(), 0)
  await sql`update rollups set tasks = tasks + 1 where organization_id = ${org.id} and grain = 'hour'`
  assert.ok((await verify()) > 0)
  await verify(true)
  assert.equal(await verify(), 0)
  // In another zone the hours are other ones: all are counted again.
  await sql`update organizations set time_zone = 'Asia/Kathmandu' where id = ${org.id}`
  assert.equal(await verify(), 0)
  await sql`delete from tasks where organization_id = ${org.id}`
  assert.deepEqual(await finished(), [])
})

test("weeks begin on Monday, also where a year ends, and stand beside those of the range before", async (t) => {
  const app = await testApp(t)
  const { sql, as } = app
  const org = await anOrganization(sql, { timeZone: "America/Lima" })
  const hub = await aHub(sql, { org })
  // Sunday, Monday, the Sunday and the Monday after, shortly before midnight in Lima.
  for (const day of ["2030-12-29", "2030-12-30", "2031-01-05", "2031-01-06"]) {
    const doneTime = Temporal.ZonedDateTime.from(`${day}T23:30[America/Lima]`).toInstant()
    await aTask(sql, { org, hub, status: "DONE", doneTime, startTime: doneTime, createdTime: doneTime })
  }
  const days = "from=2030-12-29&until=2031-01-06"
  const { data } = (
    await as(org.owner).expect(200).get(`/reports/figures?metrics=finished&groupBy=week&${days}`)
  ).json()
  assert.deepEqual(
    data.rows.map(({ key, values }: Report["rows"][0]) => [key.week, values.finished]),
    [
      ["2030-W52", 1],
      ["2031-W01", 2],
      ["2031-W02", 1],
    ],
  )
  await checkLists(app, org.owner, data, ["finished"], "week")
  const { data: next } = (
    await as(org.owner)
      .expect(200)
      .get(
        "/reports/figures?metrics=finished&groupBy=week&from=2031-01-06&until=2031-01-12&compareTo=previous",
      )
  ).json()
  assert.deepEqual(
    next.rows.map(({ key, compared }: Report["rows"][0]) => [key.week, compared?.finished]),
    [["2031-W02", 2]],
  )
})

test("reports that cannot be are refused with the reason", async (t) => {
  const { sql, as } = await testApp(t)
  const org = await anOrganization(sql)
  const stranger = await aUser(sql, { org, permissions: ["view/task"] })
  for (const [query, field] of [
    ["metrics=late,constructor&from=2031-01-01&until=2031-01-02", "metrics"],
    ["metrics=created&groupBy=reason&from=2031-01-01&until=2031-01-02", "groupBy"],
    ["metrics=cost&flowId=6a01c0ffee5de0b4a7710c05&from=2031-01-01&until=2031-01-02", "flowId"],
    ["metrics=late&from=2031-01-02&until=2031-01-01", "until"],
    ["metrics=late&from=2001-01-02&until=2031-01-01", "until"],
  ]) {
    const { failedCode, errors } = (await as(org.owner).expect(400).get(`/reports/figures?${query}`)).json()
    assert.equal(failedCode, "insgt-001")
    assert.deepEqual(Object.keys(errors ?? {}), [field])
  }
  const people = Array.from({ length: 100 }, (_, index) => `p${index}@fieldway.test`)
  const ofPeople = (days: string) =>
    as(org.owner).get(`/reports/figures?metrics=late&groupBy=person,hour&person=${people}&${days}`)
  const tooMuch = (await ofPeople("from=2031-01-01&until=2031-12-31")).json()
  assert.deepEqual([tooMuch.failedCode, /at most 310 days/.test(tooMuch.message)], ["insgt-003", true])
  assert.equal((await ofPeople("from=2031-01-01&until=2031-11-06")).statusCode, 200, "310 days")
  await as(stranger).expect(403).get("/reports/figures?metrics=late&from=2031-01-02&until=2031-01-03")
})
