import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { appendFile, chown, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { type Config, readConfig } from "#core/config.ts"
import { connect, inTransaction, type Pool } from "#core/database/database.ts"
import { unprivilegedAccount } from "#core/embedded/embedded-place.ts"
import { newId } from "#core/ids.ts"
import { folderObjects } from "#core/objects/folder-objects.ts"
import { createLog } from "#core/telemetry/log.ts"
import { aFlow, aHub, anOrganization, aTask } from "#samples/builders.ts"
import { aWebhook } from "#samples/extension-builders.ts"
import { testApp } from "#testing/test-app.ts"
import { databaseUrl } from "#testing/test-database.ts"
import { signIn, startProcess, type TestProcess, temporaryFolder } from "#testing/test-process.ts"
import { makeAddressTables } from "../features/location/places/index.ts"
import { columnList, planTables, qualified } from "./archive/table-plan.ts"
import { backUp } from "./backup.ts"
import { openDatabase } from "./open-database.ts"
import { restore } from "./restore.ts"

const log = createLog("silent")

interface Outcome {
  code: number | null
  text: string
}

/** A command as an operator gives it. */
function command(file: string, args: string[], environment: Record<string, string>): Promise<Outcome> {
  const child = spawn(process.execPath, [`server/operate/${file}`, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let text = ""
  child.stdout.on("data", (chunk) => (text += chunk))
  child.stderr.on("data", (chunk) => (text += chunk))
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, text })))
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(5)
}

function caller(server: TestProcess, token: string) {
  return async <Body>(method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${server.address}/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: reply.status, json: (await reply.json()) as Body }
  }
}

test("a backup under load, a lost machine, a restore: every row and file from before it is there", async (t) => {
  const root = await temporaryFolder(t)
  const [lost, fresh, folder] = [join(root, "lost"), join(root, "fresh"), join(root, "backup")]
  const server = await startProcess(t, { DATA_DIR: lost })
  const call = caller(server, await signIn(server.address))
  const organization = (await call<{ data: { organizationId: string } }>("GET", "/user")).json
  const organizationId = String(JSON.stringify(organization).match(/"organizationId":"([0-9a-f]{24})"/)?.[1])
  const objects = folderObjects(join(lost, "objects"))
  const acknowledged: string[] = []
  let isWriting = true
  const load = (async () => {
    for (let number = 0; isWriting; number += 1) {
      const name = `Hub ${number} "ö\\n\\.`
      const { status, json } = await call("POST", "/hub", { name, address: "Quay 1", lat: 1, lng: 2 })
      assert.equal(status, 200, JSON.stringify(json))
      acknowledged.push(name)
      await pause(10)
      await objects.put(`${organizationId}/2031/05/04/${number}_photo.jpg`, Buffer.from(`photo ${number}`))
    }
  })()
  await Promise.race([load, until(() => acknowledged.length >= 5)])
  const before = acknowledged.length
  const made = await command("backup.ts", [folder], { DATA_DIR: lost })
  isWriting = false
  await load
  assert.equal(made.code, 0, made.text)
  assert.ok(acknowledged.length > before, "people went on working during the backup")
  assert.deepEqual((await readdir(root)).toSorted(), ["backup", "lost"])

  await server.end("SIGKILL")
  const onto = restore(readConfig({ DATA_DIR: lost }), log, folder)
  await assert.rejects(onto, /contains organizations/)
  await rm(lost, { recursive: true, force: true })

  await restore(readConfig({ DATA_DIR: fresh }), log, folder)
  const again = await startProcess(t, { DATA_DIR: fresh })
  const callAgain = caller(again, await signIn(again.address))
  const hubs = (await callAgain<{ data: { name: string }[] }>("GET", "/hubs?limit=1000")).json
  const names = new Set(hubs.data.map((hub) => hub.name))
  assert.deepEqual(
    acknowledged.slice(0, before).filter((name) => !names.has(name)),
    [],
  )
  const photo = await folderObjects(join(fresh, "objects")).open(`${organizationId}/2031/05/04/0_photo.jpg`)
  assert.equal((await buffer(photo?.stream ?? Readable.from([]))).toString(), "photo 0")
  const after = await callAgain("POST", "/hub", { name: "After", address: "Quay 2", lat: 1, lng: 2 })
  assert.equal(after.status, 200)
})

/** A digest of every row of every table; transaction ids are each database's own. */
async function fingerprints(sql: Pool): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const table of await planTables(sql)) {
    const columns = table.columns.filter((column) => !table.transactionColumns.includes(column))
    const rows = await sql.unsafe<{ digest: string }[]>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest
       from (select ${columnList(columns)} from ${qualified(table)}) t`,
    )
    digests[table.name] = rows[0]?.digest ?? ""
  }
  return digests
}

/** Addresses of a built map, and a table of a build that has not ended. */
async function installAddresses(sql: Pool): Promise<void> {
  const [row] = await sql<{ id: number }[]>`
    insert into place_versions (region, version, is_current) values ('harbour', 'harbour-1', true) returning id`
  await inTransaction(sql, makeAddressTables)
  await sql`insert into place_words (version_id, word, entries, deletions) values (${row?.id ?? 0}, 'quay', 1, '{}')`
  await sql`create table place_lines_99 (like place_lines including defaults)`
}

test("a backup of an outside database arrives row by row in an empty one, with its waiting jobs and events", async (t) => {
  const source = await testApp(t)
  const { sql, as } = source
  const org = await anOrganization(sql, { timeZone: "Europe/Lisbon" })
  const hub = await aHub(sql, { org })
  await aTask(sql, { org, hub, flow: await aFlow(sql, { org }) })
  await aWebhook(sql, { org, event: "onTaskCreated" })
  const flow = await aFlow(sql, { org, pages: [] })
  await as(org.owner).expect(201).post("/task", { flow: flow.name, flowId: flow.id, hubId: hub.id })
  const point = await as(org.owner).post("/location-history", { email: org.owner.email, lat: 1.5, lon: 2.5 })
  assert.equal(point.json().status, true, point.body)
  await installAddresses(sql)
  const folder = join(await temporaryFolder(t), "backup")
  const config: Config = { ...source.config, databaseUrl: source.databaseUrl }
  const manifest = await backUp(config, log, folder)
  assert.ok(manifest.tables.some(({ name, rows }) => name === "location_points" && rows > 0))
  const before = await fingerprints(sql)

  const name = `restored_${newId()}`
  await sql.unsafe(`create database ${name}`)
  const target: Config = {
    ...config,
    databaseUrl: databaseUrl(source.databaseUrl, name),
    objectsUrl: `file://${join(folder, "..", "objects")}`,
  }
  await assert.rejects(restore(target, log, join(folder, "nowhere")), /not a complete archive/)
  const users = join(folder, "tables", "users.copy.gz")
  const whole = await readFile(users)
  await appendFile(users, "x")
  await assert.rejects(restore(target, log, folder), /users\.copy\.gz does not match its checksum/)
  await writeFile(users, whole)
  await restore(target, log, folder)
  const restored = connect(target.databaseUrl ?? "", { max: 1 })
  t.after(async () => {
    await restored.end({ timeout: 1 })
    await sql.unsafe(`drop database if exists ${name} with (force)`)
  })
  const after = await fingerprints(restored)
  assert.match(after.place_words ?? "", /^1 /, "addresses of an installed map are there")
  await restored`insert into place_versions (region, version) values ('next', 'next-1')`
  // A waiting job names the transaction of its events.
  assert.deepEqual({ ...after, _private_jobs: "" }, { ...before, _private_jobs: "" })
  const found = await restored<{ found: boolean }[]>`
    select exists (select from domain_events where organization_id = ${org.id} and xid = (payload->>'xid')::xid8
      and xid < pg_snapshot_xmin(pg_current_snapshot())) as found
    from graphile_worker._private_jobs where payload->>'xid' is not null and payload->>'organizationId' = ${org.id}`
  assert.ok(found.length > 0 && found.every((row) => row.found), "each waiting job finds its events")
})

test("a command with other variables than the service's is refused and makes nothing", async (t) => {
  const dataDir = join(await temporaryFolder(t), "mistyped")
  await assert.rejects(openDatabase(readConfig({ DATA_DIR: dataDir }), log), {
    problems: [
      `DATA_DIR: there is no database in ${dataDir}. Run the command with the variables of the service`,
    ],
  })
  await assert.rejects(readdir(dataDir))
  const { databaseUrl: address } = await testApp(t)
  const empty = databaseUrl(address, "postgres")
  await assert.rejects(openDatabase(readConfig({ DATABASE_URL: empty }), log), {
    problems: ["DATABASE_URL: this database is not a Fieldway database. Start the service with it first"],
  })
})

test("root's commands find the database that the service's own user made", async (t) => {
  if (process.getuid?.() !== 0) return t.skip("only root becomes somebody else")
  const dataDir = await temporaryFolder(t)
  await mkdir(join(dataDir, "postgres"))
  await chown(join(dataDir, "postgres"), 4321, 4322)
  assert.deepEqual(await unprivilegedAccount(dataDir), { uid: 4321, gid: 4322 })
})
