import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Config } from "#core/config.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import type { Log } from "#core/telemetry/log.ts"
import { aFlow, aHub, anOrganization, aUser, type Person } from "#samples/builders.ts"
import type { Facet } from "../../server/features/insight/rollups/hour-rows.ts"
import {
  grainsOfDays,
  grainsOfHours,
  sumUp,
  sumUpMonth,
} from "../../server/features/insight/rollups/recount.ts"
import { openDatabase } from "../../server/operate/open-database.ts"

export interface InsightSize {
  people: number
  tasksOfYear: number
  /** Days whose tasks and changes exist, not only their sums. */
  historyDays: number
}

export interface InsightData {
  organizationId: string
  owner: Person
  /** Mornings of the newest and the oldest day of the history, as texts. */
  mornings: { newest: string; oldest: string }
  /** The last day of the year. */
  day: string
}

const tasksOfDay = 20
/** The tasks of so many people are changed one after the other; those of others, and of other days, are copies. */
const peopleOfPattern = 50
const workDays = 250
const hoursOfDay = 8
const hubCount = 20

type Session = Awaited<ReturnType<Pool["reserve"]>>

interface Filling extends InsightSize {
  session: Session
  organizationId: string
  hubIds: string[]
  flowIds: string[]
  morning: Temporal.Instant
}

/** The data set of the running service's folder, made unless a run before has left it there. */
export async function insightData(config: Config, log: Log, size: InsightSize): Promise<InsightData> {
  const note = join(config.dataDir, "insight-bench.json")
  if (existsSync(note)) return JSON.parse(await readFile(note, "utf8")) as InsightData
  // Statements over millions of rows: nothing of this connection times out.
  const { sql, close } = await openDatabase(config, log)
  try {
    const data = await makeData(sql, size)
    await writeFile(note, JSON.stringify(data))
    return data
  } finally {
    await close()
  }
}

async function makeData(sql: Pool, size: InsightSize): Promise<InsightData> {
  const org = await anOrganization(sql)
  const hubs = []
  for (let index = 0; index < hubCount; index += 1) hubs.push(await aHub(sql, { org }))
  const flows = [await aFlow(sql, { org }), await aFlow(sql, { org }), await aFlow(sql, { org })]
  const one = await aUser(sql, { org, hubs: hubs.slice(0, 1) })
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: 2 })
  const morning = day.toZonedDateTime({ timeZone: "UTC", plainTime: "07:00" }).toInstant()
  const oldest = morning.subtract({ hours: 24 * (size.historyDays - 1) })
  const session = await sql.reserve()
  await session.unsafe("set session_replication_role = replica; set work_mem = '256MB'")
  const filling = {
    ...size,
    session,
    organizationId: org.id,
    hubIds: hubs.map(({ id }) => id),
    flowIds: flows.map(({ id }) => id),
    morning,
  }
  await fillPeople(filling, one.id)
  for (const start of new Set([morning, oldest])) await fillPositions(filling, start)
  const indexes = await dropIndexes(session, ["tasks", "audit_parts", "rollups"])
  await fillPattern(filling)
  for (let back = 0; back < size.historyDays; back += 1) await copyPattern(filling, back)
  await fillYear(sql, filling)
  await session.unsafe("set maintenance_work_mem = '512MB'")
  for (const index of indexes) await session.unsafe(index)
  await session.unsafe("vacuum analyze")
  session.release()
  const mornings = { newest: String(morning), oldest: String(oldest) }
  return { organizationId: org.id, owner: org.owner, mornings, day: String(day) }
}

/** Filling a table and indexing it after that is several times as quick. Returns the statements that make them again. */
async function dropIndexes(session: Session, tables: readonly string[]): Promise<string[]> {
  const found = await session<{ name: string; definition: string }[]>`
    select i.relname as name, pg_get_indexdef(i.oid) as definition
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relname = any (${tables}) and not x.indisunique and i.relname <> 'tasks_start'`
  for (const { name } of found) await session`drop index ${session(name)}`
  return found.map(({ definition }) => definition)
}

async function fillPeople({ session, people, hubIds, organizationId }: Filling, like: string): Promise<void> {
  await session`
    insert into users (organization_id, id, account_id, email, name, role_id, status, created_time, updated_time)
    select organization_id, lpad(to_hex(n), 24, '0'), lpad(to_hex(n), 24, '0'), 'p' || n || '@example.com', 'Person ' || n, role_id,
      status, created_time, updated_time
    from users, generate_series(1, ${people}::int) n where users.id = ${like}`
  await session`
    insert into user_hubs (organization_id, user_id, hub_id)
    select ${organizationId}, lpad(to_hex(n), 24, '0'), (${hubIds}::text[])[1 + n % ${hubCount}::int]
    from generate_series(1, ${people}::int) n`
  await session`
    insert into person_positions (organization_number, person_number, organization_id, user_id, email, last_time, batch_size,
      recorded_at, received_at, lat, lng, speed, bearing)
    select o.number, u.number, u.organization_id, u.id, u.email, 0, 1, now(), now(), 45, 5, 30, 90
    from users u join organizations o on o.id = u.organization_id where u.organization_id = ${organizationId} and u.email like 'p%@example.com'`
}

async function fillPositions({ session, organizationId }: Filling, start: Temporal.Instant): Promise<void> {
  await session`select ensure_location_partition(${start}::timestamptz)`
  await session`
    insert into location_points (organization_number, person_number, recorded_at, received_at, lat, lng, fingerprint, speed, source)
    select p.organization_number, p.person_number, t, t,
      45 + p.person_number % 100 / 1000.0 + extract(epoch from t - ${start}::timestamptz) / 1e6, 5, 1, 30, 1
    from person_positions p, generate_series(${start}::timestamptz, ${start.add({ hours: 10 })}::timestamptz, interval '2 minutes') t
    where p.organization_id = ${organizationId}`
}

/** Tasks whose audit trail is written by its triggers: created, assigned, put in order and finished, some moved. */
async function fillPattern({ session, organizationId, hubIds, flowIds, morning }: Filling): Promise<void> {
  await session.unsafe("set session_replication_role = default")
  await session`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, assignee, start_time, end_time, created_time, updated_time,
      created_by, created_from, order_index, lat, lng)
    select ${organizationId}, 'b' || lpad(to_hex(n), 23, '0'), (${hubIds}::text[])[1 + n / ${tasksOfDay}::int % ${hubCount}::int], ${flowIds[0] ?? ""},
      'Delivery', 'UNASSIGNED', 'Stop ' || n, '{}', ${morning}, ${morning.add({ hours: 10 })}, ${morning}, ${morning}, 'p1@example.com', 'API',
      n, 45 + n % 100 / 100.0, 5
    from generate_series(1, ${peopleOfPattern * tasksOfDay}::int) n`
  await session`
    update tasks set assignee = array['p' || 1 + (order_index::int - 1) / ${tasksOfDay}::int || '@example.com'], status = 'ONGOING'
    where organization_id = ${organizationId}`
  await session`
    update tasks set end_time = end_time + interval '1 hour' where organization_id = ${organizationId} and order_index::int % 20 = 7`
  await session`update tasks set order_index = order_index::int % ${tasksOfDay}::int where organization_id = ${organizationId}`
  await session`
    update tasks set status = 'DONE', done_by = assignee[1], done_time = start_time + interval '30 minutes' * order_index
    where organization_id = ${organizationId}`
  await session.unsafe("set session_replication_role = replica")
  await session`
    update audit_parts set time = ${morning}::timestamptz + interval '10 hours' * random()
    where organization_id = ${organizationId} and object_type = 'task' and change <> 'create'`
  // Results are entered when the work is done.
  await session`
    update audit_parts set time = audit_instant(after, 'done_time') + interval '20 seconds'
    where organization_id = ${organizationId} and object_type = 'task' and after ->> 'status' = 'DONE'`
  await session`
    update audit_parts set time = ${morning.subtract({ hours: 1 })} where organization_id = ${organizationId} and change = 'create'`
}

/** The pattern for everybody, some days before the newest one. */
async function copyPattern(
  { session, people, organizationId, morning }: Filling,
  back: number,
): Promise<void> {
  const block = people / peopleOfPattern
  const first = back * block
  const blocks = `generate_series(${first + (back === 0 ? 1 : 0)}, ${first + block - 1}) copy`
  const idOf = (column: string) =>
    `'b' || lpad(to_hex(('x' || right(${column}, 8))::bit(32)::int + copy * ${peopleOfPattern * tasksOfDay}), 23, '0')`
  const person = `'p' || split_part(substr(assignee[1], 2), '@', 1)::int + copy % ${block} * ${peopleOfPattern} || '@example.com'`
  const earlier = `- interval '${back * 24} hours'`
  const tasks = await copiedColumns(session, "tasks", {
    id: idOf("id"),
    assignee: `array[${person}]`,
    done_by: person,
    ...Object.fromEntries(
      ["start_time", "end_time", "created_time", "updated_time", "done_time"].map((name) => [
        name,
        `${name} ${earlier}`,
      ]),
    ),
  })
  const pattern = String(peopleOfPattern * tasksOfDay)
  await session.unsafe(
    `insert into tasks (${tasks.names}) select ${tasks.values} from tasks, ${blocks}
     where organization_id = $1 and id between 'b' || lpad('1', 23, '0') and 'b' || lpad(to_hex($2::int), 23, '0')`,
    [organizationId, pattern],
  )
  const shifted = (line: string, ...names: string[]) =>
    [line]
      .concat(
        names.map(
          (name) =>
            `case when ${line} ? '${name}' then jsonb_build_object('${name}', (${line} ->> '${name}')::timestamptz ${earlier}) else '{}' end`,
        ),
      )
      .join(" || ")
  // Parts of transactions before the last sealed one are not sealed again.
  const parts = await copiedColumns(session, "audit_parts", {
    entry_id: "'d' || copy || '-' || entry_id",
    number: "nextval('audit_numbers')",
    xid: "1",
    time: `time ${earlier}`,
    object_id: idOf("object_id"),
    before: shifted("before", "start_time", "end_time"),
    after: shifted("after", "done_time"),
  })
  await session.unsafe(
    `insert into audit_parts (${parts.names}) select ${parts.values} from audit_parts, ${blocks}
     where organization_id = $1 and object_type = 'task' and xid > 1 and time >= $2::timestamptz - interval '1 hour' order by number`,
    [organizationId, String(morning)],
  )
}

async function copiedColumns(
  session: Session,
  table: string,
  changed: Record<string, string>,
): Promise<{ names: string; values: string }> {
  const columns = await session<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`
  const quoted = columns.map(({ name }) => `"${name}"`)
  return {
    names: quoted.join(", "),
    values: columns.map(({ name }) => changed[name] ?? `"${name}"`).join(", "),
  }
}

/** Rows of grain `hour` for each person, flow and kind of result, then their sums as the service keeps them. */
async function fillYear(
  sql: Pool,
  { session, people, tasksOfYear, organizationId, hubIds, flowIds, morning }: Filling,
): Promise<void> {
  const perHour = tasksOfYear / (people * workDays * hoursOfDay)
  for (const table of ["rollups", "rollup_changes", "rollup_months"])
    await session`delete from ${session(table)} where organization_id = ${organizationId}`
  const last = morning.add({ hours: 1 })
  // A day at a time: each statement stays far below the time after which a silent database counts as lost.
  for (let workDay = 0; workDay < workDays; workDay += 1)
    for (const facet of ["finished", "planned", "attended"])
      await session`
        insert into rollups (organization_id, grain, facet, at, hub_id, flow_id, person, outcome, is_late, reason, late_reason, tasks, stops,
          first_attempts, timed, service_seconds, waiting_seconds, late_seconds, ratings, stars, meters, seconds, travel_seconds, idle_seconds)
        select ${organizationId}, 'hour', ${facet}, ${last}::timestamptz - (d * 365 / ${workDays}::int) * interval '1 day' + h * interval '1 hour',
          case when ${facet} = 'attended' then '' else (${hubIds}::text[])[1 + n % ${hubCount}::int] end,
          case when ${facet} = 'attended' then '' else (${flowIds}::text[])[1 + (n + d + h) % 3] end, 'p' || n || '@example.com',
          case when ${facet} <> 'finished' then '' when (n + d * 7 + h) % 20 = 0 then 'failed' else 'done' end,
          ${facet} = 'finished' and (n * 3 + d + h) % 11 = 0,
          case when ${facet} = 'finished' and (n + d * 7 + h) % 20 = 0 then 'reason ' || (n + d) % 12 else '' end,
          case when ${facet} = 'finished' and (n * 3 + d + h) % 11 = 0 then 'cause ' || (n + d) % 8 else '' end,
          floor(${perHour}::float8 + (n + d + h) % 2 * 0.999), 2, 2, 2, 600, 0, 0, 0, 0, 1000, 3600, 1800, 600
        from (select ${workDay}::int as d) day, generate_series(0, ${hoursOfDay}::int - 1) h, generate_series(1, ${people}::int) n
        where ${facet} <> 'attended' or h = 0`
  await session`
    insert into rollup_months (organization_id, facet, at, is_current)
    select distinct organization_id, facet, date_trunc('month', at, 'UTC'), false from rollups where organization_id = ${organizationId}`
  await sumUpYear(sql, organizationId)
}

/** What the jobs of the service would have summed up by now. */
export async function sumUpYear(sql: Pool, organizationId: string): Promise<void> {
  const months = await sql<{ facet: Facet; at: Temporal.Instant }[]>`
    select facet, at from rollup_months where organization_id = ${organizationId} order by at`
  for (const { facet, at } of months) {
    const counted = { organizationId, timeZone: "UTC", facet }
    const until = at.toZonedDateTimeISO("UTC").add({ months: 1 }).toInstant()
    await inTransaction(sql, async (tx) => {
      for (const grain of [...grainsOfHours, ...grainsOfDays])
        await sumUp(tx, counted, grain, { from: at, until })
      if (Temporal.Instant.compare(until, Temporal.Now.instant()) < 0)
        await sumUpMonth(tx, counted, { from: at, until })
    })
  }
}
