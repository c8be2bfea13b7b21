import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect, type Pool } from "#core/database/database.ts"
import { migrate } from "#core/database/migrate.ts"
import { startEmbeddedPostgres } from "#core/embedded/embedded-postgres.ts"
import { migrateJobs } from "#core/jobs/worker.ts"
import { createLog } from "#core/telemetry/log.ts"
import { distribute } from "../operate/distribute.ts"

/**
 * Real PostgreSQL for tests: one server a run, one database a test file, cloned from a template that was
 * migrated once. The runner starts the server and hands its address on; a file run by itself starts its own.
 */
export const serverVariable = "FIELDWAY_TEST_DATABASE"
const templateName = "fieldway_template"
const quiet = createLog("silent")

export interface TestServer {
  url: string
  stop(): Promise<void>
}

/** A throw-away server with the migrated template. Data is not synced to disk: nothing of it outlives the run. */
export async function startTestServer(): Promise<TestServer> {
  const own = process.env[outsideServerVariable]
  if (own) return onOutsideServer(own)
  const folder = await mkdtemp(join(tmpdir(), "fieldway-test-"))
  // Root's temporary folders are closed to others, and PostgreSQL runs as somebody else then.
  await chmod(folder, 0o711)
  const settings = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=400",
    "autovacuum=off",
  ]
  const server = await startEmbeddedPostgres(folder, { log: quiet, settings })
  await makeTemplate(server.url)
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * For trying another version of PostgreSQL: the address of a throw-away server, with a database to connect to. Where it has
 * Citus, addresses of its workers may follow, with spaces between them.
 */
const outsideServerVariable = "FIELDWAY_TEST_SERVER"

function workerUrls(): string[] {
  return (process.env[outsideServerVariable] ?? "").split(" ").slice(1)
}

async function onOutsideServer(urls: string): Promise<TestServer> {
  const [url = ""] = urls.split(" ")
  await onServers([url, ...workerUrls()], (admin) =>
    admin.unsafe(`drop database if exists ${templateName} with (force)`),
  )
  await makeTemplate(url)
  return { url, stop: async () => undefined }
}

async function onServers(
  urls: readonly string[],
  work: (admin: Pool) => PromiseLike<unknown>,
): Promise<void> {
  for (const url of urls) {
    const admin = connect(url, { max: 1 })
    await work(admin)
    await admin.end({ timeout: 2 })
  }
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const template = databaseUrl(serverUrl, templateName)
  const admin = connect(serverUrl, { max: 1 })
  await admin.unsafe(`create database ${templateName}`)
  const sql = connect(template, { max: 1 })
  const isCitus = await prepareCitus(sql, serverUrl)
  await migrate(sql)
  await migrateJobs(template, quiet)
  if (isCitus) await distribute(sql, () => undefined)
  await sql.end()
  await admin.end()
  // A service of Citus stays connected to every database; nobody may be while one is cloned.
  if (isCitus)
    await onServers([serverUrl, ...workerUrls()], async (server) => {
      await server.unsafe(`alter database ${templateName} allow_connections false`)
      await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${templateName}`
    })
}

/** Where the server has Citus and no worker, it is its own one: most statements are planned as for several machines. */
async function prepareCitus(sql: Pool, serverUrl: string): Promise<boolean> {
  const [row] = await sql<{ isThere: boolean }[]>`
    select current_setting('shared_preload_libraries') ~ '\\mcitus\\M' as is_there`
  if (!row?.isThere) return false
  const { hostname, port } = new URL(serverUrl)
  await sql.unsafe("create extension citus")
  await sql`select citus_set_coordinator_host(${hostname}, ${Number(port || 5432)}::int)`
  const workers = workerUrls()
  for (const url of workers) {
    await onServers([url], (admin) => admin.unsafe(`create database ${templateName}`))
    await onServers([databaseUrl(url, templateName)], (worker) => worker.unsafe("create extension citus"))
    const worker = new URL(url)
    await sql`select citus_add_node(${worker.hostname}, ${Number(worker.port || 5432)}::int)`
  }
  if (workers.length === 0)
    await sql`select citus_set_node_property(${hostname}, ${Number(port || 5432)}::int, 'shouldhaveshards', true)`
  return true
}

export interface TestDatabase {
  url: string
  sql: Pool
  /** Closes the pool and drops the database. */
  drop(): Promise<void>
}

let ownServer: Promise<TestServer> | undefined

export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env[serverVariable]
  ownServer ??= given ? undefined : startTestServer()
  const serverUrl = given ?? (await ownServer)?.url ?? ""
  const name = `test_${randomBytes(6).toString("hex")}`
  const servers = [serverUrl, ...workerUrls()]
  // Copying files costs half of what copying through the write-ahead log does: nothing is synced here.
  await onServers(servers, (admin) =>
    admin.unsafe(`create database ${name} template ${templateName} strategy file_copy`),
  )
  const url = databaseUrl(serverUrl, name)
  const sql = connect(url, { max: 10 })
  return {
    url,
    sql,
    async drop() {
      await sql.end({ timeout: 2 })
      await onServers(servers, (admin) => admin.unsafe(`drop database if exists ${name} with (force)`))
      const own = ownServer
      ownServer = undefined
      if (own) await (await own).stop()
    },
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
