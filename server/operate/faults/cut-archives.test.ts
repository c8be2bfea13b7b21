import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import type { Config } from "#core/config.ts"
import { connect, type Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { createLog } from "#core/telemetry/log.ts"
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { type FaultLine, faultLine } from "#testing/services/fault-line.ts"
import { testApp } from "#testing/test-app.ts"
import { databaseUrl } from "#testing/test-database.ts"
import { temporaryFolder } from "#testing/test-process.ts"
import { jobs } from "../../jobs.ts"
import { backUp } from "../backup.ts"
import { exportOrganization } from "../organization-export.ts"
import { importOrganization } from "../organization-import.ts"
import { restore } from "../restore.ts"

/** Archives of a large table whose connection is cut in its middle, as an operator's commands and as an owner's. */

const isLong = Boolean(process.env.FIELDWAY_LONG)
/** The one table is of some 100 MB in the long round, of 4 MB otherwise. */
const taskCount = isLong ? 50_000 : 2_000
/** Shares of what the whole command sends, at which it is cut. */
const cuts = isLong ? [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95] : [0.5]
const patienceMilliseconds = isLong ? 120_000 : 30_000
const log = createLog("silent")

async function scene(t: TestContext, options: { password?: string } = {}) {
  const server = await testApp(t)
  const { sql } = server
  const org = await anOrganization(sql, options)
  const hub = await aHub(sql, { org })
  const { id } = await aTask(sql, { org, hub, flow: await aFlow(sql, { org }) })
  await sql`
    insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, start_time, end_time, created_time, updated_time,
      created_by, created_from, order_index, ref_id, "values", attributes)
    select organization_id, lpad(to_hex(n), 24, '0'), hub_id, flow_id, flow, status, 'Visit ' || n, start_time, end_time, created_time,
      updated_time, created_by, created_from, order_index + n, 'ref-' || n,
      jsonb_build_object('note', (select string_agg(md5(n::text || part), '') from generate_series(1, 60) part)), attributes
    from tasks, generate_series(1, ${taskCount}::int) n where id = ${id}`
  const folder = await temporaryFolder(t)
  const empty = async (template: string) => {
    const name = `empty_${newId()}`
    await sql.unsafe(`create database ${name} template ${template}`)
    t.after(() => sql.unsafe(`drop database if exists ${name} with (force)`))
    return databaseUrl(server.databaseUrl, name)
  }
  const at = (url: string): Config => ({
    ...server.config,
    databaseUrl: url,
    objectsUrl: `file://${folder}/objects`,
  })
  return { server, org, folder, empty, at }
}

/** The bytes that `work` sends through a line, and then the same again with the line cut at each share of them. */
async function cutAt(
  t: TestContext,
  url: string,
  work: (url: string) => Promise<unknown>,
  afterCut: (error: Error) => Promise<void>,
): Promise<void> {
  const line: FaultLine = await faultLine(t, url)
  for (const share of cuts) {
    line.cutAfter(Math.floor(share * taskCount * 1_930))
    const outcome = await Promise.race([
      work(line.url).then(
        () => new Error("it went on without its connection"),
        (error: Error) => error,
      ),
      new Promise<Error>((resolve) => {
        setTimeout(resolve, patienceMilliseconds, new Error("it never ended")).unref()
      }),
    ])
    line.set("open")
    await afterCut(outcome)
  }
}

test("a backup and an export that are cut off say where and why, and leave nothing", async (t) => {
  const { server, org, folder, at } = await scene(t)
  const target = join(folder, "cut")
  const check = async (error: Error, doing: string) => {
    assert.match(error.message, new RegExp(`^${doing} \\w+: .*connection`), error.stack ?? "")
    assert.deepEqual(await readdir(folder), [])
    const left = await server.sql`
      select from pg_stat_activity where application_name = 'fieldway-operate' and xact_start < now() - interval '5 seconds'`
    assert.equal(left.length, 0)
  }
  const work = (url: string) => backUp(at(url), log, target)
  await cutAt(t, server.databaseUrl, work, (error) => check(error, "backing up"))
  const other = (url: string) => exportOrganization(at(url), log, org.id, target)
  await cutAt(t, server.databaseUrl, other, (error) => check(error, "exporting"))
})

test("a restore and an import that are cut off say where and why, and succeed when given again", async (t) => {
  const { server, org, folder, empty, at } = await scene(t)
  const [whole, one] = [join(folder, "whole"), join(folder, "one")]
  await backUp(at(server.databaseUrl), log, whole)
  await exportOrganization(at(server.databaseUrl), log, org.id, one)
  const isEmpty = async (url: string) => {
    const sql = connect(url, { max: 1 })
    const rows = await sql<{ count: number }[]>`select count(*) as count from tasks`
    await sql.end({ timeout: 1 })
    return rows[0]?.count === 0
  }
  for (const [doing, url, work] of [
    ["restoring", await empty("fieldway_template"), (to: string) => restore(at(to), log, whole)],
    ["importing", await empty("fieldway_template"), (to: string) => importOrganization(at(to), log, one)],
  ] as const) {
    await cutAt(t, url, work, async (error) => {
      assert.match(error.message, new RegExp(`^${doing} \\w+: .*connection`), error.stack ?? "")
      assert.ok(await isEmpty(url), "nothing of it is there")
    })
    await work(url)
    assert.equal(await isEmpty(url), false)
  }
})

test("an owner's archive that is cut off is tried again, says that it failed, and can be asked for again", async (t) => {
  const password = "Harbour-27"
  const { server, org } = await scene(t, { password })
  const owner = server.as(org.owner)
  const address = `/organization/${org.id}/archive`
  const line = await faultLine(t, server.databaseUrl)
  const pool = connect(line.url, { max: 2 })
  t.after(() => pool.end({ timeout: 1 }))
  const stateOf = async () => (await owner.get(address)).json().data
  const jobRow = () => server.sql<{ id: string; payload: unknown }[]>`
    select jobs.id::text, jobs.payload from graphile_worker._private_jobs jobs
    join organization_archives on organization_archives.id = jobs.payload ->> 'archiveId'
    where organization_archives.organization_id = ${org.id}`
  const attempt = async (sql: Pool, isLastAttempt: boolean) => {
    const [row] = await jobRow()
    const job = jobs.find(({ name }) => name === "organization.make-archive")
    await job?.handle({ ...server.jobContext(), sql, isLastAttempt }, row?.payload)
  }
  const cut = async (share: number, isLastAttempt: boolean) => {
    line.cutAfter(Math.floor(share * taskCount * 1_930))
    await assert.rejects(attempt(pool, isLastAttempt), /^Error: exporting \w+: .*connection/)
    line.set("open")
  }
  assert.equal((await owner.post(address, { password })).statusCode, 202)
  for (const share of cuts) await cut(share, false)
  assert.equal((await stateOf()).status, "making")
  assert.equal((await owner.post(address, { password })).statusCode, 202)
  assert.equal((await jobRow()).length, 1, "one that is being made is not asked for twice")

  // The last attempt ends while the database is away: nobody can record it.
  await cut(0.5, true)
  await server.sql`update graphile_worker._private_jobs set attempts = max_attempts where id = ${(await jobRow())[0]?.id ?? ""}`
  const failed = await stateOf()
  assert.deepEqual([failed.status, failed.link], ["failed", null])
  assert.match(failed.error, /Request it again/)

  assert.equal((await owner.post(address, { password })).statusCode, 202)
  await attempt(server.sql, false)
  const ready = await stateOf()
  assert.equal(ready.status, "ready")
  assert.ok(ready.bytes > 1_000)
})

test("a backup of a large table ends also while every core is kept busy", async (t) => {
  const { server, folder } = await scene(t)
  const loops = Array.from({ length: isLong ? 6 : 2 }, () => spawn(process.execPath, ["-e", "for (;;);"]))
  const command = spawn(process.execPath, ["server/operate/backup.ts", join(folder, "busy")], {
    env: { ...process.env, DATABASE_URL: server.databaseUrl, DATA_DIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const stop = () => {
    for (const loop of loops) loop.kill("SIGKILL")
  }
  t.after(stop)
  let text = ""
  for (const stream of [command.stdout, command.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
  const late = setTimeout(() => command.kill("SIGKILL"), 4 * patienceMilliseconds)
  const code = await new Promise((resolve) =>
    command.on("exit", (status, signal) => resolve(signal ?? status)),
  )
  clearTimeout(late)
  stop()
  assert.equal(code, 0, text)
  assert.match(text, /rows of \d+ tables/)
})
