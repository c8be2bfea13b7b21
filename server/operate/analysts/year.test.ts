import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { parquetReadObjects } from "hyparquet"
import { connect } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aUser, type Organization } from "#samples/builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { download, sheetTexts } from "../../features/files/exports/fixtures/exports.ts"
import { writeParquet } from "../../features/insight/parquet/jobs.ts"
import { backfillMonth, foldChanges, sumUpMonths } from "../../features/insight/rollups/fold-changes.ts"
import { verifyRollups } from "../../features/insight/rollups/index.ts"
import { grantAnalyst, removeAnalyst, roleOf } from "./analyst.ts"

const isLong = process.env.FIELDWAY_LONG !== undefined
const taskCount = isLong ? 60_000 : 700
const sessionCount = isLong ? 3_000 : 60
const year = "from=2031-01-01&until=2031-12-31"
const timeZone = "America/Montevideo"
const metrics = "finished,done,failed,late,firstAttempts,ratings"

interface Row {
  key: Record<string, string>
  values: Record<string, number | null>
  tasks: Record<string, string>
}
/** Of a month, or of the whole year. */
type Counts = Record<"finished" | "done" | "failed" | "late" | "ratings", number>

test("numbers of a generated year agree between reports, lists, exports, views and Parquet", async (t) => {
  const app = await testApp(t)
  const { sql, as, jobContext } = app
  const org = await anOrganization(sql, { timeZone })
  await generateYear(app, org)
  const me = as(org.owner)
  const report = async (query: string): Promise<{ rows: Row[]; total: Row; isComplete: boolean }> =>
    (await me.expect(200).get(`/reports/figures?${year}&limit=1000&${query}`)).json().data
  const now = Temporal.Instant.from("2032-03-01T00:00:00Z")
  while (await backfillMonth(sql, org.id, now));
  await foldChanges(sql, org.id, new AbortController().signal)

  const groups = ["month", "day", "hour", "person", "hub,month", "lateReason,month"]
  const before = await Promise.all(groups.map((groupBy) => report(`metrics=${metrics}&groupBy=${groupBy}`)))
  await sumUpMonths(sql, org.id, now, new AbortController().signal)
  for (const [index, groupBy] of groups.entries()) {
    const after = await report(`metrics=${metrics}&groupBy=${groupBy}`)
    assert.deepEqual(after, before[index], `${groupBy} read from sums of months`)
    for (const metric of metrics.split(","))
      assert.equal(sumOf(after.rows, metric), after.total.values[metric], `${metric} by ${groupBy}`)
  }
  assert.deepEqual((await verifyRollups(sql, org.id, { now })).differences, [])

  const byMonth = before[0]?.rows ?? []
  assert.equal(byMonth.length, 12)
  const months = new Map(byMonth.map(({ key, values }) => [key.month ?? "", countsOf(values)]))
  for (const row of isLong ? byMonth : byMonth.slice(4, 6))
    for (const metric of metrics.split(",")) {
      const list = (await me.expect(200).get(`/tasks?limit=1&${row.tasks[metric]}`)).json()
      assert.equal(list.tasks.total, row.values[metric], `list of ${metric} in ${row.key.month}`)
    }
  assert.deepEqual(await countExport(t, app, org), withoutRatings(months), "the exported workbook")
  const { total } = await report("metrics=sessions,attendedHours")
  const sessions = { count: total.values.sessions, hours: Math.round(total.values.attendedHours ?? 0) }
  assert.equal(sessions.count, sessionCount)
  const views = await countViews(t, app, org)
  assert.deepEqual(views, { months, hours: months, sessions }, "views of analysts")
  await writeParquet.handle(jobContext(), { organizationId: org.id })
  assert.deepEqual(
    await countParquet(app, org),
    { months: withoutRatings(months), hours: months, sessions },
    "Parquet",
  )
})

/** Work of a year around the ends of its months, seeded: each choice follows from the number of the task. */
async function generateYear({ sql }: TestApp, org: Organization): Promise<void> {
  const hubs = [await aHub(sql, { org }), await aHub(sql, { org }), await aHub(sql, { org })]
  const flows = [await aFlow(sql, { org }), await aFlow(sql, { org })]
  const people = await Promise.all(
    [0, 1, 2, 3, 4].map((index) => aUser(sql, { org, hubs: [hubs[index % 3] ?? (hubs[0] as never)] })),
  )
  const emails = people.map(({ email }) => email)
  // Multiples of a prime of the minutes of the year: any hour of any day, the same each time.
  await sql`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, assignee, start_time, end_time, created_time,
      updated_time, created_by, created_from, done_by, done_time, order_index, "values", attributes)
    select ${org.id}, 'c' || lpad(to_hex(n), 23, '0'), (${hubs.map(({ id }) => id)}::text[])[1 + n % 3],
      (${flows.map(({ id }) => id)}::text[])[1 + n / 7 % 2], 'Visit', case when n % 13 = 0 then 'ONGOING' else 'DONE' end, 'Visit ' || n,
      array[email], at - interval '30 minutes', at + n % 17 * interval '5 minutes' - interval '20 minutes', at - interval '1 day', at, email, 'API',
      case when n % 13 <> 0 then email end, case when n % 13 <> 0 then at end, n, '{"siteName": "x"}',
      case when n % 13 = 0 then '{}' else jsonb_strip_nulls(jsonb_build_object(
        'outcome', case when n % 11 = 0 then 'failed' end, 'outcomeReason', case when n % 11 = 0 then 'reason ' || n % 3 end,
        'isLate', case when n % 17 < 4 then true end, 'lateReason', case when n % 17 < 3 then 'cause ' || n % 4 end,
        'previousTaskId', case when n % 19 = 0 then 'x' end)) end
    from (select n, (${emails}::text[])[1 + n % 5] as email,
        timestamptz '2031-01-01 03:00Z' + n::bigint * 7919 % 525600 * interval '1 minute' as at
      from generate_series(1, ${taskCount}::int) n) made`
  await sql`
    insert into customer_feedback (organization_id, id, task_id, hub_id, flow_id, kind, stars, created_time)
    select organization_id, id, id, hub_id, flow_id, 'rating', 1 + order_index::int % 5, done_time from tasks
    where organization_id = ${org.id} and status = 'DONE' and order_index::int % 6 = 0`
  await sql`
    insert into location_sessions (organization_number, person_number, id, received_at, recorded_at, started_at, lat, lng, finished_at,
      finish_lat, finish_lng, total_distance, total_duration, tracked_minutes, created_by, updated_at)
    select o.number, u.number, u.id || n, at, at, at, 52, 5, at + interval '1 hour', 52, 5, 3, 60, 60, u.email, at
    from organizations o, users u, generate_series(1, ${sessionCount}::int) n,
      lateral (select timestamptz '2031-01-01 03:00Z' + n::bigint * 104729 % 525600 * interval '1 minute' as at) made
    where o.id = ${org.id} and u.organization_id = o.id and u.email = (${emails}::text[])[1 + n % 5]`
}

const sumOf = (rows: readonly Row[], metric: string) =>
  rows.reduce((sum, { values }) => sum + (values[metric] ?? 0), 0)

function countsOf(values: Record<string, unknown>): Counts {
  const number = (name: keyof Counts) => Number(values[name] ?? 0)
  return {
    finished: number("finished"),
    done: number("done"),
    failed: number("failed"),
    late: number("late"),
    ratings: number("ratings"),
  }
}

const withoutRatings = (months: ReadonlyMap<string, Counts>) =>
  new Map([...months].map(([month, counts]) => [month, { ...counts, ratings: 0 }]))

/** Finished tasks by the month of the organization in which they were. */
function countTasks(tasks: readonly { at: Date; outcome: string; isLate: boolean }[]): Map<string, Counts> {
  const months = Map.groupBy(tasks, ({ at }) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime())
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .toString()
      .slice(0, 7),
  )
  const counted = [...months].map(([month, own]): [string, Counts] => [
    month,
    {
      finished: own.length,
      done: own.filter(({ outcome }) => outcome === "done").length,
      failed: own.filter(({ outcome }) => outcome === "failed").length,
      late: own.filter(({ isLate }) => isLate).length,
      ratings: 0,
    },
  ])
  return new Map(counted.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

async function countExport(t: TestContext, app: TestApp, org: Organization): Promise<Map<string, Counts>> {
  const body = { download: "csv", limit: -1, status: "DONE", fields: "doneTime,outcome,isLate" }
  const response = (await app.as(org.owner).post("/tasks/export", body)).json()
  const [, ...rows] = await sheetTexts(t, await download(app, response.data.link))
  return countTasks(
    rows.map(([doneTime = "", outcome = "", isLate = ""]) => ({
      at: new Date(
        Temporal.PlainDateTime.from(doneTime.replace(" ", "T")).toZonedDateTime(timeZone).epochMilliseconds,
      ),
      outcome: outcome || "done",
      isLate: /^(true|yes)$/i.test(isLate),
    })),
  )
}

async function countViews(t: TestContext, { sql, databaseUrl }: TestApp, org: Organization) {
  const [row] = await sql<{ number: number; name: string }[]>`
    select number, name from organizations where id = ${org.id}`
  const organization = { id: org.id, number: row?.number ?? 0, name: row?.name ?? "" }
  await grantAnalyst(sql, organization)
  const url = new URL(databaseUrl)
  url.searchParams.set("user", roleOf(organization))
  const analyst = connect(url.toString())
  t.after(async () => {
    await analyst.end()
    await removeAnalyst(sql, organization)
  })
  const months = await analyst<({ month: string } & Counts)[]>`
    select to_char(done_time at time zone ${timeZone}, 'YYYY-MM') as month, count(*) as finished,
      count(*) filter (where outcome = 'done') as done, count(*) filter (where outcome = 'failed') as failed,
      count(*) filter (where is_late) as late, count(r.stars) as ratings
    from analytics.tasks t left join analytics.ratings r on r.task_id = t.id where status = 'DONE' group by 1 order by 1`
  const hours = await analyst<({ month: string } & Counts)[]>`
    select to_char(hour at time zone ${timeZone}, 'YYYY-MM') as month, sum(tasks) as finished,
      sum(tasks) filter (where outcome = 'done') as done, sum(tasks) filter (where outcome = 'failed') as failed,
      sum(tasks) filter (where is_late) as late, sum(ratings) as ratings
    from analytics.hours where facet = 'finished' group by 1 order by 1`
  const [sessions] = await analyst<{ count: number; hours: number }[]>`
    select count(*)::int as count, round(sum(seconds) / 3600)::int as hours from analytics.sessions`
  const byMonth = (rows: readonly ({ month: string } & Counts)[]) =>
    new Map(rows.map(({ month, ...counts }) => [month, countsOf(counts)]))
  return { months: byMonth(months), hours: byMonth(hours), sessions: { ...sessions } }
}

async function countParquet(app: TestApp, org: Organization) {
  const read = async (table: string): Promise<Record<string, unknown>[]> => {
    const list = (
      await app.as(org.owner).expect(200).get(`/analytics/files?limit=1000&table=${table}`)
    ).json()
    const files: { url: string }[] = list.data.data
    const rows = await Promise.all(
      files.map(async ({ url }) => {
        const bytes = await download(app, url)
        return parquetReadObjects({ file: Uint8Array.from(bytes).buffer })
      }),
    )
    return rows.flat()
  }
  const tasks = (await read("tasks")).filter(({ status }) => status === "DONE")
  const hours = (await read("hours")).filter(({ facet }) => facet === "finished")
  const sessions = await read("sessions")
  const monthOf = (at: unknown) =>
    Temporal.Instant.fromEpochMilliseconds(Number(at))
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .toString()
      .slice(0, 7)
  const counted = new Map<string, Counts>()
  for (const { hour, tasks, outcome, is_late: isLate, ratings } of hours) {
    const month = counted.get(monthOf(hour)) ?? countsOf({})
    counted.set(monthOf(hour), month)
    const count = Number(tasks)
    month.finished += count
    month.done += outcome === "done" ? count : 0
    month.failed += outcome === "failed" ? count : 0
    month.late += isLate ? count : 0
    month.ratings += Number(ratings)
  }
  return {
    months: countTasks(
      tasks.map(({ done_time: at, outcome, is_late: isLate }) => ({
        at: at as Date,
        outcome: String(outcome),
        isLate: isLate === true,
      })),
    ),
    hours: new Map([...counted].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    sessions: {
      count: sessions.length,
      hours: Math.round(sessions.reduce((sum, { seconds }) => sum + Number(seconds), 0) / 3600),
    },
  }
}
