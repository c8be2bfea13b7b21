import assert from "node:assert/strict"
import { test } from "node:test"
import { connect } from "#core/database/database.ts"
import { aHub, anOrganization, aTask } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { grantAnalyst, removeAnalyst, roleOf } from "./analyst.ts"

test("an analyst reads one organization's views, as many tasks as its reports count, and nothing else", async (t) => {
  const { sql, as, databaseUrl } = await testApp(t)
  const [org, other] = [await anOrganization(sql), await anOrganization(sql)]
  const doneTime = Temporal.Instant.from("2031-05-06T10:00:00Z")
  for (const owner of [org, org, other])
    await aTask(sql, {
      ...{ org: owner, hub: await aHub(sql, { org: owner }), status: "DONE", doneTime, startTime: doneTime },
      createdTime: doneTime,
    })
  const [row] = await sql<{ number: number; name: string }[]>`
    select number, name from organizations where id = ${org.id}`
  const organization = { id: org.id, number: row?.number ?? 0, name: row?.name ?? "" }
  const first = await grantAnalyst(sql, organization)
  assert.notEqual(await grantAnalyst(sql, organization), first)
  const url = new URL(databaseUrl)
  url.searchParams.set("user", roleOf(organization))
  const analyst = connect(url.toString())
  t.after(async () => {
    await analyst.end()
    await removeAnalyst(sql, organization)
  })
  const { data } = (
    await as(org.owner).expect(200).get("/reports/figures?metrics=finished&from=2031-05-01&until=2031-05-31")
  ).json()
  const [counted] = await analyst<{ tasks: number; hubs: number; hours: number }[]>`
    select (select count(*)::int from analytics.tasks where status = 'DONE') as tasks, (select count(*)::int from analytics.hubs) as hubs,
      (select sum(tasks)::int from analytics.hours where facet = 'finished') as hours`
  assert.deepEqual([counted?.tasks, counted?.hours], [data.total.values.finished, 2])
  assert.ok((counted?.hubs ?? 0) >= 2)
  for (const attempt of [
    "select 1 from public.tasks",
    "select 1 from public.organizations",
    "delete from analytics.tasks",
    "create table public.mine (n int)",
    "select 1 from graphile_worker._private_jobs",
    `set role ${roleOf(other)}`,
    "set session authorization postgres",
  ])
    await assert.rejects(async () => analyst.unsafe(attempt), /denied|read-only|does not exist/, attempt)
  assert.equal((await sql`select 1 from analytics.tasks`).length, 0, "the service itself is no analyst")
})
