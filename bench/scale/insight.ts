/*
 * A moment of a day with many vehicles, and reports of a year: server time of each request, one after the other.
 * The day: positions every two minutes for ten hours, twelve tasks of each person with three changes each. The year: rollups as
 * 5,000,000 tasks of these people leave them, by hour.
 * Run: node bench/scale/insight.ts [people] [tasks of the year] [requests of a kind]
 */
import { inTransaction } from "#core/database/database.ts"
import { aFlow, aHub, anOrganization, aUser } from "#samples/builders.ts"
import type { Facet } from "../../server/features/insight/rollups/hour-rows.ts"
import { grainsOfDays, sumUp, sumUpMonth } from "../../server/features/insight/rollups/recount.ts"
import { median, startBench } from "../load/harness.ts"

const people = Number(process.argv[2] ?? 1_000)
const tasksOfYear = Number(process.argv[3] ?? 5_000_000)
const requests = Number(process.argv[4] ?? 40)
const tasksOfDay = 12
const workDays = 250
const hoursOfDay = 8
const hubCount = 20

const bench = await startBench()
try {
  const { sql } = bench
  const org = await anOrganization(sql)
  const hubs = []
  for (let index = 0; index < hubCount; index += 1) hubs.push(await aHub(sql, { org }))
  const flows = [await aFlow(sql, { org }), await aFlow(sql, { org }), await aFlow(sql, { org })]
  const one = await aUser(sql, { org, hubs: [hubs[0] ?? (await aHub(sql, { org }))] })
  const hubIds = hubs.map(({ id }) => id)
  const flowIds = flows.map(({ id }) => id)
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: 2 })
  const morning = day.toZonedDateTime({ timeZone: "UTC", plainTime: "07:00" }).toInstant()
  const session = await sql.reserve()
  await session.unsafe(
    "set statement_timeout = 0; set session_replication_role = replica; set work_mem = '256MB'",
  )
  await session`
    insert into users (organization_id, id, account_id, email, name, role_id, status, created_time, updated_time)
    select organization_id, lpad(to_hex(n), 24, '0'), lpad(to_hex(n), 24, '0'), 'p' || n || '@example.com', 'Person ' || n, role_id,
      status, created_time, updated_time
    from users, generate_series(1, ${people}::int) n where users.id = ${one.id}`
  await session`
    insert into user_hubs (organization_id, user_id, hub_id)
    select ${org.id}, lpad(to_hex(n), 24, '0'), (${hubIds}::text[])[1 + n % ${hubCount}::int]
    from generate_series(1, ${people}::int) n`
  await session`
    insert into person_positions (organization_number, person_number, organization_id, user_id, email, last_time, batch_size,
      recorded_at, received_at, lat, lng, speed, bearing)
    select o.number, u.number, u.organization_id, u.id, u.email, 0, 1, now(), now(), 45, 5, 30, 90
    from users u join organizations o on o.id = u.organization_id where u.organization_id = ${org.id} and u.email like 'p%@example.com'`
  await session`select ensure_location_partition(${morning}::timestamptz)`
  await session`
    insert into location_points (organization_number, person_number, recorded_at, received_at, lat, lng, fingerprint, speed, source)
    select p.organization_number, p.person_number, t, t, 45 + p.person_number % 100 / 1000.0 + extract(epoch from t - ${morning}::timestamptz) / 1e6, 5, 1, 30, 1
    from person_positions p, generate_series(${morning}::timestamptz, ${morning.add({ hours: 10 })}::timestamptz, interval '2 minutes') t
    where p.organization_id = ${org.id}`
  // The audit trail of the day is written by its triggers.
  await session.unsafe("set session_replication_role = default")
  await session`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, assignee, start_time, end_time, created_time, updated_time,
      created_by, created_from, order_index, lat, lng)
    select ${org.id}, 'b' || lpad(to_hex(n), 23, '0'), (${hubIds}::text[])[1 + n / ${tasksOfDay}::int % ${hubCount}::int], ${flowIds[0] ?? ""},
      'Delivery', 'UNASSIGNED', 'Stop ' || n, '{}', ${morning}, ${morning.add({ hours: 10 })}, ${morning}, ${morning}, 'p1@example.com', 'API',
      n, 45 + n % 100 / 100.0, 5
    from generate_series(1, ${people * tasksOfDay}::int) n`
  await session`
    update tasks set assignee = array['p' || 1 + (order_index::int - 1) / ${tasksOfDay}::int || '@example.com'], status = 'ONGOING'
    where organization_id = ${org.id}`
  await session`update tasks set order_index = order_index::int % ${tasksOfDay}::int where organization_id = ${org.id}`
  await session`
    update tasks set status = 'DONE', done_by = assignee[1], done_time = start_time + interval '1 hour' * order_index
    where organization_id = ${org.id}`
  await session.unsafe("set session_replication_role = replica")
  await session`
    update audit_parts set time = ${morning}::timestamptz + interval '10 hours' * random() where organization_id = ${org.id} and change <> 'create'`
  await session`update audit_parts set time = ${morning.subtract({ hours: 1 })} where organization_id = ${org.id} and change = 'create'`
  await fillYear()
  await session.unsafe("reset session_replication_role; reset statement_timeout")
  await session.unsafe("vacuum analyze")
  const [counts] = await session<{ rows: number; tasks: number; parts: number; points: number }[]>`
    select (select count(*) from rollups) as rows, (select sum(tasks) from rollups where grain = 'hourHub' and facet = 'finished') as tasks,
      (select count(*) from audit_parts) as parts, (select count(*) from location_points) as points`
  session.release()
  print(
    `${people} people, ${counts?.points} positions and ${counts?.parts} changes on the day; ${counts?.tasks} tasks in ${counts?.rows} rows of rollups`,
  )
  const token = await bench.tokenOf(org.owner)
  print("| Request | least ms | median ms | p95 ms | most ms |\n|---|---|---|---|---|")
  await measure("a moment", () => `/moment?time=${morning.add({ minutes: Math.floor(Math.random() * 600) })}`)
  const year = `from=${day.subtract({ years: 1 }).add({ days: 1 })}&until=${day}`
  const reports = [
    "metrics=finished,onTimeRate,late,firstAttemptRate&groupBy=day",
    "metrics=finished,onTimeRate&groupBy=month&compareTo=previousYear",
    "metrics=finished,stops,tasksPerHour&groupBy=person&limit=1000",
    "metrics=failures,failureRate,finished&groupBy=reason",
    "metrics=late,lateMinutes&groupBy=lateReason",
    "metrics=finished,onTimeRate&groupBy=hub,month",
    "metrics=finished,onTimeRate&groupBy=hour",
    "metrics=finished,onTimeRate&groupBy=weekday",
    "metrics=finished,serviceMinutes&groupBy=flow",
    "metrics=attendedHours,travelHours,idleHours&groupBy=person&limit=1000",
    "metrics=planned,finished,completionRate&groupBy=month",
  ]
  const all: number[] = []
  for (const report of reports)
    all.push(...(await measure(`a year, ${report}`, () => `/reports/figures?${report}&${year}`)))
  row("all reports of the year", all)

  async function measure(name: string, path: () => string): Promise<number[]> {
    const times: number[] = []
    for (let count = -2; count < requests; count += 1) {
      const started = performance.now()
      const response = await fetch(`${bench.address}/api/v3${path()}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${name}: ${text}`)
      // The first ones open connections and plan statements.
      if (count >= 0) times.push(performance.now() - started)
    }
    row(name, times)
    return times
  }

  /** Rows of grain `hour` for each person, flow and kind of result, then their sums as the service keeps them. */
  async function fillYear(): Promise<void> {
    const perHour = tasksOfYear / (people * workDays * hoursOfDay)
    await session`delete from rollups where organization_id = ${org.id}`
    await session`delete from rollup_changes where organization_id = ${org.id}`
    await session`delete from rollup_months where organization_id = ${org.id}`
    const last = day.toZonedDateTime({ timeZone: "UTC", plainTime: "08:00" }).toInstant()
    // A day at a time: each statement stays far below the time after which a silent database counts as lost.
    for (let workDay = 0; workDay < workDays; workDay += 1)
      for (const facet of ["finished", "planned", "attended"])
        await session`
          insert into rollups (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, tasks, stops,
            first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds, travel_seconds, idle_seconds)
          select ${org.id}, 'hour', ${facet}, ${last}::timestamptz - (d * 365 / ${workDays}::int) * interval '1 day' + h * interval '1 hour',
            case when ${facet} = 'attended' then '' else (${hubIds}::text[])[1 + n % ${hubCount}::int] end,
            case when ${facet} = 'attended' then '' else (${flowIds}::text[])[1 + (n + d + h) % 3] end, 'p' || n || '@example.com',
            case when ${facet} <> 'finished' then '' when (n + d * 7 + h) % 20 = 0 then 'failed' else 'done' end,
            ${facet} = 'finished' and (n * 3 + d + h) % 11 = 0,
            case when ${facet} = 'finished' and (n + d * 7 + h) % 20 = 0 then 'reason ' || (n + d) % 12 else '' end,
            case when ${facet} = 'finished' and (n * 3 + d + h) % 11 = 0 then 'cause ' || (n + d) % 8 else '' end,
            floor(${perHour}::float8 + (n + d + h) % 2 * 0.999), 2, 2, 2, 600, 0, 0, 0, 0, 1000, 3600, 1800, 600
          from (select ${workDay}::int as d) day, generate_series(0, ${hoursOfDay}::int - 1) h, generate_series(1, ${people}::int) n
          where ${facet} <> 'attended' or h = 0`
    const months = await session<{ facet: Facet; at: Temporal.Instant }[]>`
      select distinct facet, date_trunc('month', at, 'UTC') as at from rollups where organization_id = ${org.id}`
    await session`
      insert into rollup_months (organization_id, facet, at, is_current)
      select distinct organization_id, facet, date_trunc('month', at, 'UTC'), false from rollups where organization_id = ${org.id}`
    for (const { facet, at } of months) {
      const counted = { organizationId: org.id, timeZone: "UTC", facet }
      const until = at.toZonedDateTimeISO("UTC").add({ months: 1 }).toInstant()
      await inTransaction(sql, async (tx) => {
        for (const grain of ["hourHub", ...grainsOfDays] as const)
          await sumUp(tx, counted, grain, { from: at, until })
        if (Temporal.Instant.compare(until, Temporal.Now.instant()) < 0)
          await sumUpMonth(tx, counted, { from: at, until })
      })
    }
  }
} finally {
  await bench.close()
}

function row(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
  const cells = [sorted[0] ?? 0, median([...times]), p95, sorted.at(-1) ?? 0].map((value) => value.toFixed(0))
  print(`| ${name} | ${cells.join(" | ")} |`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
