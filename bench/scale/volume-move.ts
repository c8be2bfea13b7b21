/*
 * Backup, restore and move of a large organization while the service works: times, sizes, memory, and whether every table
 * arrives with the same rows.
 *
 * node bench/scale/volume-move.ts [tasks] [positions] [steps] [folder]
 * 1,000,000 tasks, 10,000,000 positions and the steps `backup,move` (with restore and import) unless given; the folder is removed
 */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { readConfig } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import { folderObjects } from "#core/objects/folder-objects.ts"
import { createLog } from "#core/telemetry/log.ts"
import { aFlow, aHub, anOrganization, aUser, type Organization } from "#samples/builders.ts"
import { derived, passing } from "../../server/operate/archive/tenant-tables.ts"
import { openDatabase } from "../../server/operate/open-database.ts"
import type { Call } from "../load/fairness-client.ts"
import { type Bench, startBench } from "../load/harness.ts"
import { fillStore } from "../load/seed-points.ts"
import { seedTasks, settle } from "../load/seed-tasks.ts"
import { type LoadSummary, steadyLoad } from "../load/steady-load.ts"
import { differences, printTables, type TablePrint } from "../load/table-prints.ts"

const [tasksText = "1000000", pointsText = "10000000", stepsText = "backup,move", folderText] =
  process.argv.slice(2)
const steps = stepsText.split(",")
const taskCount = Number(tasksText)
const pointCount = Number(pointsText)
const fileCount = Math.ceil(taskCount / 1_000)
const fileBytes = 20_000
/** Of each client of the load between two calls. */
const pauseMilliseconds = 50

/** What the service itself rewrites while it runs: temporary rows, or rows rebuilt from other tables. */
const ofTheMoment: ReadonlySet<string> = new Set([...derived, ...passing])

let hasFailed = false
const root = resolve(folderText ?? (await mkdtemp(join(tmpdir(), "fieldway-move-"))))
await mkdir(root, { recursive: true })
// Where root runs this, PostgreSQL runs as somebody else, who must get in.
await chmod(root, 0o711)
try {
  await run()
} finally {
  await rm(root, { recursive: true, force: true })
}
process.exit(hasFailed ? 1 : 0)

async function run(): Promise<void> {
  const place = (name: string) => join(root, name)
  const source = await startBench({ DATA_DIR: place("source") })
  try {
    const org = await timed("filling", () => fill(place("source")))
    await quietQueue(source.sql)
    const before = await timed("checksums of the source", () => printed(place("source"), org))
    write(
      `${before.get("tasks")?.rows} tasks, ${before.get("location_points")?.rows} positions, ${rowsOf(before)} rows`,
    )
    write(`database of ${await databaseSize(source.sql)}`)

    if (steps.includes("backup")) await backUpAndRestore(source, org, before, place)
    if (steps.includes("move")) await move(source, org, before, place)
  } finally {
    await source.close()
  }
}

async function backUpAndRestore(
  source: Bench,
  org: Organization,
  before: ReadonlyMap<string, TablePrint>,
  place: (name: string) => string,
): Promise<void> {
  const backedUp = await underLoad(source, org, () =>
    command("backup.ts", [place("backup")], { DATA_DIR: place("source") }),
  )
  report("backup", backedUp, await folderSize(place("backup")))
  const restored = await underLoad(source, org, () =>
    command("restore.ts", [place("backup")], { DATA_DIR: place("restored") }),
  )
  report("restore", restored)
  await compareInstallation("the restored installation", place("restored"), org, before)
}

async function move(
  source: Bench,
  org: Organization,
  before: ReadonlyMap<string, TablePrint>,
  place: (name: string) => string,
): Promise<void> {
  const exported = await underLoad(source, org, () =>
    command("organization-export.ts", [org.id, place("export")], { DATA_DIR: place("source") }),
  )
  report("organization:export", exported, await folderSize(place("export")))
  compare("the source after it", before, await printed(place("source"), org))
  await importElsewhere(place("target"), place("export"), org, before)
}

/** As a command does it: the service's own connections end statements that take long. */
async function withPatience<T>(dataDir: string, work: (sql: Pool) => Promise<T>): Promise<T> {
  const database = await openDatabase(readConfig({ DATA_DIR: dataDir }), createLog("error"))
  try {
    return await work(database.sql)
  } finally {
    await database.close()
  }
}

function printed(dataDir: string, org: Organization): Promise<Map<string, TablePrint>> {
  return withPatience(dataDir, (sql) => printTables(sql, org.id, ofTheMoment))
}

function fill(dataDir: string): Promise<Organization> {
  return withPatience(dataDir, (sql) => fillWith(sql, dataDir))
}

async function fillWith(sql: Pool, dataDir: string): Promise<Organization> {
  const { org } = await seedTasks(sql, taskCount)
  await sql`update organizations set name = 'Volume' where id = ${org.id}`
  await fillStore(sql, pointCount, () => undefined)
  // Its own notes about what it filled are no table of the product.
  await sql`drop table bench_days`
  await sql`
    insert into task_histories (organization_id, task_id, id, action, notes, created_at)
    select organization_id, id, id, 'post', 'Created', created_time from tasks where organization_id = ${org.id}`
  const objects = folderObjects(join(dataDir, "objects"))
  for (let count = 0; count < fileCount; count += 1)
    await objects.put(`${org.id}/2031/05/04/${count}_photo.jpg`, randomBytes(fileBytes))
  await settle(sql)
  return org
}

/** Until the jobs that follow the filling are done; those of every minute may run. */
async function quietQueue(sql: Pool): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from graphile_worker.jobs
      where run_at < now() - interval '5 seconds' and attempts < max_attempts and locked_at is null`
    quiet = row?.count === 0 ? quiet + 1 : 0
    await pause(1_000)
  }
}

interface Outcome {
  seconds: number
  peakBytes: number
  text: string
}

/** An operator's command as a process of its own. Its memory is that of the process, without PostgreSQL's. */
async function command(file: string, args: string[], environment: Record<string, string>): Promise<Outcome> {
  const atEnd = "process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))"
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${atEnd}`,
      join(import.meta.dirname, "../../server/operate", file),
      ...args,
    ],
    {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
  let text = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()))
  const code = await new Promise((done) => child.on("close", done))
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${text}`)
  return {
    seconds: (performance.now() - started) / 1000,
    peakBytes: Number(/peak (\d+)/.exec(text)?.[1] ?? 0) * 1024,
    text: text.replace(/peak \d+\n/, ""),
  }
}

/** People of the organization read, and another organization of the same installation writes. */
async function underLoad<T>(
  bench: Bench,
  org: Organization,
  work: () => Promise<T>,
): Promise<T & { load: LoadSummary }> {
  const other = await anOrganization(bench.sql)
  const hub = await aHub(bench.sql, { org: other })
  const flow = await aFlow(bench.sql, { org: other })
  const driver = await aUser(bench.sql, { org: other, role: "field user", hubs: [hub] })
  const reads: Call[] = [
    { name: "tasks", method: "GET", path: "/api/v3/tasks?limit=20" },
    { name: "done tasks", method: "GET", path: "/api/v3/tasks?status=DONE&page=7" },
    { name: "positions", method: "GET", path: "/api/v3/positions" },
  ]
  const task = { flow: flow.name, hubId: hub.id, siteName: "Visit {n}" }
  const writes: Call[] = [
    { name: "task", method: "POST", path: "/api/v3/task", body: JSON.stringify(task) },
    {
      name: "position",
      method: "POST",
      path: "/api/v3/location-history",
      body: JSON.stringify({ email: driver.email, lat: 52.1, lon: 5.1 }),
    },
  ]
  const load = steadyLoad(
    bench.address,
    [
      { token: await bench.tokenOf(org.owner), groups: [reads, reads] },
      { token: await bench.tokenOf(other.owner), groups: [writes, writes] },
    ],
    pauseMilliseconds,
  )
  try {
    const result = await work()
    return { ...result, load: await load.end() }
  } catch (error) {
    await load.end()
    throw error
  }
}

/** Into an installation in service that has people of its own. */
async function importElsewhere(
  dataDir: string,
  archive: string,
  org: Organization,
  before: ReadonlyMap<string, TablePrint>,
): Promise<void> {
  const target = await startBench({ DATA_DIR: dataDir })
  try {
    const local = await anOrganization(target.sql)
    const imported = await underLoad(target, local, () =>
      command("organization-import.ts", [archive], { DATA_DIR: dataDir }),
    )
    report("organization:import", imported)
    await compareWith("the other installation", target, dataDir, org, before)
  } finally {
    await target.close()
  }
}

async function compareInstallation(
  name: string,
  dataDir: string,
  org: Organization,
  before: ReadonlyMap<string, TablePrint>,
): Promise<void> {
  const bench = await startBench({ DATA_DIR: dataDir })
  try {
    await compareWith(name, bench, dataDir, org, before)
  } finally {
    await bench.close()
  }
}

/** Tables, files, and what the API says about both. */
async function compareWith(
  name: string,
  bench: Bench,
  dataDir: string,
  org: Organization,
  before: ReadonlyMap<string, TablePrint>,
): Promise<void> {
  compare(name, before, await printed(dataDir, org))
  const headers = { authorization: `Bearer ${await bench.tokenOf(org.owner)}` }
  const reply = await bench.app.inject({ url: "/api/v3/tasks?limit=1", headers })
  check(`${name}: GET /tasks counts`, reply.json().tasks?.total, taskCount)
  let files = 0
  for await (const _key of folderObjects(join(dataDir, "objects")).list(org.id)) files += 1
  check(`${name}: files`, files, fileCount)
}

function compare(
  name: string,
  before: ReadonlyMap<string, TablePrint>,
  after: ReadonlyMap<string, TablePrint>,
): void {
  const differing = differences(before, after)
  check(
    `${name}: tables with other rows or checksums (of ${before.size})`,
    differing.join("; ") || "none",
    "none",
  )
}

function check(name: string, found: unknown, expected: unknown): void {
  const isEqual = found === expected
  hasFailed ||= !isEqual
  write(`${isEqual ? "equal " : "DIFFER"} ${name}: ${found}${isEqual ? "" : ` instead of ${expected}`}`)
}

function report(
  name: string,
  { seconds, peakBytes, load, text }: Outcome & { load: LoadSummary },
  bytes?: number,
): void {
  const size = bytes === undefined ? "" : `, ${megabytes(bytes)} written`
  write(`${name}: ${seconds.toFixed(0)} s, ${megabytes(peakBytes)} of memory${size}`)
  const { calls, p50Milliseconds, p99Milliseconds, refused } = load
  write(
    `  load meanwhile: ${calls} calls, p50 ${p50Milliseconds.toFixed(0)} ms, p99 ${p99Milliseconds.toFixed(0)} ms, refused ${JSON.stringify(refused)}`,
  )
  write(`  ${text.trim().split("\n")[0]}`)
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  write(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  return result
}

function rowsOf(prints: ReadonlyMap<string, TablePrint>): number {
  return [...prints.values()].reduce((sum, { rows }) => sum + rows, 0)
}

async function databaseSize(sql: Pool): Promise<string> {
  const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database()) as bytes`
  return megabytes(Number(row?.bytes ?? 0))
}

async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MB`
}

function write(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
}
