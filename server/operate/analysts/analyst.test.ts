import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { type TestContext, test } from "node:test"
import { connect, json, type Pool } from "#core/database/database.ts"
import { aHub, anOrganization, aTask, type Organization } from "#samples/builders.ts"
import { aSession } from "#samples/location-builders.ts"
import { type TestApp, testApp } from "#testing/test-app.ts"
import { grantAnalyst, removeAnalyst, roleOf } from "./analyst.ts"

const doneTime = Temporal.Instant.from("2031-05-06T10:00:00Z")

async function named(sql: Pool, { id }: Organization) {
  const [row] = await sql<{ number: number; name: string }[]>`
    select number, name from organizations where id = ${id}`
  return { id, number: row?.number ?? 0, name: row?.name ?? "" }
}

function connectAs({ databaseUrl }: TestApp, role: string): Pool {
  const url = new URL(databaseUrl)
  url.searchParams.set("user", role)
  return connect(url.toString())
}

/** An organization with finished tasks of ten minutes at the customer, in a session of an hour, and its analyst. */
async function anAnalyst(t: TestContext, app: TestApp, taskCount: number) {
  const { sql } = app
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  for (let index = 0; index < taskCount; index += 1)
    await aTask(sql, { org, hub, status: "DONE", doneTime, startTime: doneTime, createdTime: doneTime })
  const attributes = { arrivedTime: doneTime.subtract({ minutes: 10 }).toString() }
  await sql`
    update tasks set attributes = ${json(sql, attributes)}, done_by = ${org.owner.email} where organization_id = ${org.id}`
  await aSession(sql, { org, person: org.owner, startedAt: doneTime.subtract({ minutes: 30 }) })
  const organization = await named(sql, org)
  const first = await grantAnalyst(sql, organization)
  assert.notEqual(await grantAnalyst(sql, organization), first)
  const analyst = connectAs(app, roleOf(organization))
  t.after(async () => {
    await analyst.end()
    await removeAnalyst(sql, organization)
  })
  return { org, analyst }
}

test("an analyst reads one organization's views, as many tasks as its reports count, and nothing else", async (t) => {
  const app = await testApp(t)
  const { sql, as } = app
  const { org, analyst } = await anAnalyst(t, app, 2)
  const other = await anAnalyst(t, app, 1)
  const { data } = (
    await as(org.owner).expect(200).get("/reports/figures?metrics=finished&from=2031-05-01&until=2031-05-31")
  ).json()
  const [counted] = await analyst<{ tasks: number; hubs: number; hours: number }[]>`
    select (select count(*)::int from analytics.tasks where status = 'DONE') as tasks, (select count(*)::int from analytics.hubs) as hubs,
      (select sum(tasks)::int from analytics.hours where facet = 'finished') as hours`
  assert.deepEqual([counted?.tasks, counted?.hours], [data.total.values.finished, 2])
  const sessions = await analyst<{ stopSeconds: number }[]>`select * from analytics.sessions`
  assert.deepEqual(
    sessions.map(({ stopSeconds }) => stopSeconds),
    [600],
  )
  const views = await sql<{ name: string }[]>`
    select table_name as name from information_schema.views where table_schema = 'analytics'`
  for (const { name } of views)
    for (const row of await analyst<{ organizationId: string }[]>`select * from analytics.${sql(name)}`)
      assert.equal(row.organizationId, org.id, name)
  const { email } = other.org.owner
  const [times] = await analyst<{ times: number[] }[]>`
    select public.session_times(${other.org.id}, ${email}, ${doneTime.subtract({ hours: 1 })}, ${doneTime.add({ hours: 1 })}, null, '{}')
      as times`.catch(() => [{ times: [0, 0, 0] }])
  assert.equal(times?.times[2], 0, "no stops of others")
  // Roles can lift the limits with which their sessions begin; what they may do does not depend on these.
  const writer = await analyst.reserve()
  await writer`set default_transaction_read_only = off`
  for (const attempt of [
    "select 1 from public.tasks",
    "select 1 from public.organizations",
    "select 1 from public.analyst_tasks",
    "select 1 from graphile_worker._private_jobs",
    "select 1 from pg_authid",
    "select 1 from pg_statistic",
    "select pg_read_file('PG_VERSION')",
    "copy (select 1) to program 'id'",
    "copy (select 1) to '/tmp/analyst'",
    "delete from analytics.tasks",
    "create table public.mine (n int)",
    "create function analytics.mine() returns int language sql as 'select 1'",
    "create schema mine",
    "alter role current_user connection limit -1",
    `set role ${roleOf(other.org)}`,
    "set role fieldway",
    "set session authorization fieldway",
    "select set_config('role', 'fieldway', false)",
    "select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user",
    "select pg_cancel_backend(pid) from pg_stat_activity where usename <> current_user",
    "select pg_stat_reset()",
  ])
    for (const session of [analyst, writer])
      await assert.rejects(
        async () => session.unsafe(attempt),
        /denied|read-only|does not exist|must be/,
        attempt,
      )
  writer.release()
  assert.equal((await sql`select 1 from analytics.tasks`).length, 0, "the service itself is no analyst")
})

test("a database user who may create roles, and nothing more, gives access and ends it", async (t) => {
  const app = await testApp(t)
  const { sql } = app
  const organization = await named(sql, await anOrganization(sql))
  const service = `service_${organization.id}`
  await sql.unsafe(`create role ${service} login createrole; grant usage on schema analytics to ${service} with grant option;
    grant select on all tables in schema analytics to ${service} with grant option;
    grant execute on function session_times to ${service} with grant option`)
  const own = connectAs(app, service)
  t.after(async () => {
    await own.end()
    await sql.unsafe(`drop owned by ${service}; drop role ${service}`)
  })
  await grantAnalyst(own, organization)
  await grantAnalyst(own, organization)
  const analyst = connectAs(app, roleOf(organization))
  assert.equal((await analyst`select 1 from analytics.tasks`).length, 0)
  assert.equal(await removeAnalyst(own, organization), true)
  await assert.rejects(async () => analyst`select 1 from analytics.tasks`)
  await analyst.end()
  assert.equal(await removeAnalyst(own, organization), false)
})

test("the guide lists every column of the views, and its types are theirs", async (t) => {
  const { sql } = await testApp(t)
  const guide = await readFile(new URL("../../../docs/analysts.md", import.meta.url), "utf8")
  const rows = guide.matchAll(/^\| `(\w+)` \| [^|]+ \| (.+) \|$/gm)
  const documented = [...rows].map(([, view, columns = ""]) => [
    view,
    [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ])
  const views = await sql<{ view: string; columns: string[] }[]>`
    select table_name as view, array_agg(column_name::text order by ordinal_position) filter (where column_name <> 'organization_id') as columns
    from information_schema.columns where table_schema = 'analytics' group by 1 order by 1`
  const sorted = (list: unknown[]) => list.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
  assert.deepEqual(
    sorted(documented.map(([view, columns]) => [view, sorted(columns as unknown[])])),
    sorted(views.map(({ view, columns }) => [view, sorted(columns)])),
  )
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns where table_schema = 'analytics'`
  const numbers = /_seconds$|^(seconds|meters|lat|lng|load_used)$/
  const counts = /^(tasks|stops|first_attempts|timed|ratings|stars|loads)$/
  for (const { name, type } of columns)
    assert.equal(
      type.replace("smallint", "bigint"),
      /_time$|^hour$/.test(name)
        ? "timestamp with time zone"
        : name.startsWith("is_")
          ? "boolean"
          : numbers.test(name)
            ? "double precision"
            : counts.test(name)
              ? "bigint"
              : /^(assignee|hub_ids)$/.test(name)
                ? "ARRAY"
                : name === "values"
                  ? "jsonb"
                  : "text",
      name,
    )
})
