import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { chown, mkdir, readFile, rename, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { ConfigError } from "../config.ts"
import { connect, type Pool } from "../database/database.ts"
import type { Log } from "../telemetry/log.ts"
import {
  type Account,
  type Binaries,
  markFolder,
  reachableBinaries,
  reachableFolder,
  unprivilegedAccount,
} from "./embedded-place.ts"

/** A running embedded PostgreSQL. Its only door is a Unix socket in a folder that one user can enter. */
export interface EmbeddedPostgres {
  url: string
  /** Stops the server in 'fast' mode: sessions are ended, everything committed is on disk. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  log: Log
  /** Extra server settings, such as `fsync=off` for throw-away databases of tests. */
  settings?: readonly string[]
}

const databaseName = "fieldway"
const ownerLock = 7_270_117_001

/**
 * Starts PostgreSQL on `dataDir/postgres`, initialising it the first time. An orphan left by a killed
 * process is taken over. Throws a ConfigError when another process serves this folder, or when the
 * server cannot run here at all.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const account = await unprivilegedAccount(dataDir)
  await mkdir(dataDir, { recursive: true })
  const binaries = await reachableBinaries(account)
  const folder = await reachableFolder(join(dataDir, "postgres"), account)
  await initialise(folder, binaries, account)
  await markFolder(dataDir, folder)
  const sockets = await socketFolder(folder, account)
  const url = socketUrl(sockets)
  const start: Start = { folder, sockets, binaries, account, url, options }
  let child = await ensureRunning(start)
  const lock = await claim(url, dataDir)
  let isStopping = false
  let isRestarting = false
  const guard = setInterval(async () => {
    const isGone = child ? hasEnded(child) : (await serverProcess(folder)) === undefined
    if (!isGone || isStopping || isRestarting) return
    isRestarting = true
    options.log.error("the database process ended unexpectedly; restarting it")
    try {
      child = await ensureRunning(start)
      await lock`select pg_try_advisory_lock(${ownerLock})`
    } catch (error) {
      options.log.error({ reason: String(error) }, "the database could not be restarted; retrying")
    } finally {
      isRestarting = false
    }
  }, guardMilliseconds)
  return {
    url,
    async stop() {
      isStopping = true
      clearInterval(guard)
      await lock.end({ timeout: 1 })
      await stopServer(folder, child)
    },
  }
}

/** True when `dataDir` has a database: commands that read one must not make an empty one of a mistyped name. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  const folder = await reachableFolder(join(dataDir, "postgres"), await unprivilegedAccount(dataDir))
  return (await stat(join(folder, "PG_VERSION")).catch(() => undefined)) !== undefined
}

/**
 * The address of the server that another process runs on `dataDir`, for commands beside a running service.
 * Undefined when none responds: then the server of this folder can be started.
 */
export async function runningEmbeddedUrl(dataDir: string): Promise<string | undefined> {
  const account = await unprivilegedAccount(dataDir)
  const folder = await reachableFolder(join(dataDir, "postgres"), account)
  if ((await serverProcess(folder)) === undefined) return undefined
  const url = socketUrl(await socketFolder(folder, account))
  return (await isResponding(url)) ? url : undefined
}

function socketUrl(sockets: string): string {
  return `postgres:///${databaseName}?host=${encodeURIComponent(sockets)}&user=fieldway`
}

/** How often we look whether the database process still lives. */
const guardMilliseconds = 500

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function initialise(folder: string, binaries: Binaries, account: Account | undefined): Promise<void> {
  if (await stat(join(folder, "PG_VERSION")).catch(() => undefined)) return
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  if (account) await chown(draft, account.uid, account.gid)
  const flags = [
    "-D",
    draft,
    "-U",
    "fieldway",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  ]
  const result = await run(binaries.initdb, [...flags, "--no-instructions"], account)
  if (result.code !== 0)
    throw new ConfigError([`DATA_DIR: PostgreSQL could not be initialised: ${result.output}`])
  await rename(draft, folder)
}

function run(
  command: string,
  args: string[],
  account: Account | undefined,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...account,
      cwd: "/",
      env: serverEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stderr.on("data", (chunk) => (output += chunk))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, output }))
  })
}

function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC" }
}

/** Socket paths hold about 100 bytes, so a deep data folder gets its socket in the temporary folder. */
async function socketFolder(folder: string, account: Account | undefined): Promise<string> {
  if (Buffer.byteLength(folder) <= 80) return folder
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16)
  const sockets = join(tmpdir(), `fieldway-${name}`)
  await mkdir(sockets, { recursive: true, mode: 0o700 })
  if (account) await chown(sockets, account.uid, account.gid)
  return sockets
}

interface Start {
  folder: string
  sockets: string
  binaries: Binaries
  account: Account | undefined
  url: string
  options: EmbeddedOptions
}

/** Returns the process that was started, or undefined when a running server was found. */
async function ensureRunning(start: Start): Promise<ChildProcess | undefined> {
  const orphan = await serverProcess(start.folder)
  if (orphan !== undefined && (await isResponding(start.url))) {
    start.options.log.info({ pid: orphan }, "found the database already running")
    return undefined
  }
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${start.sockets}`,
    "unix_socket_permissions=0700",
    "max_connections=200",
    "shared_buffers=256MB",
    "effective_cache_size=1GB",
    "work_mem=16MB",
    "maintenance_work_mem=128MB",
    "max_wal_size=2GB",
    "wal_compression=on",
    "random_page_cost=1.1",
    "jit=off",
    "log_min_messages=warning",
    ...(start.options.settings ?? []),
  ]
  let launched = launch(start, settings)
  // A busy folder may be one whose server is just starting for somebody else: then wait for that one.
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    if (await isResponding(start.url)) return hasEnded(launched.child) ? undefined : launched.child
    if (hasEnded(launched.child)) {
      const words = launched.words()
      if (!/lock file|shared memory/.test(words))
        throw new ConfigError([`DATA_DIR: PostgreSQL did not start: ${words.trim()}`])
      // The sessions of a killed server hold its memory for a moment longer than it lives: once they are
      // gone no other process will start here, so this start must.
      if ((await serverProcess(start.folder)) === undefined) launched = launch(start, settings)
    }
    await pause(10)
  }
  throw new ConfigError([`DATA_DIR: PostgreSQL did not respond within a minute: ${launched.words().trim()}`])
}

interface Launched {
  child: ChildProcess
  /** The last of what it wrote. */
  words(): string
}

function launch(start: Start, settings: readonly string[]): Launched {
  const child = spawn(
    start.binaries.postgres,
    ["-D", start.folder, ...settings.flatMap((setting) => ["-c", setting])],
    // Its own process group: a Ctrl-C at the terminal reaches us alone, and we stop it in order.
    {
      ...start.account,
      cwd: "/",
      env: serverEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    },
  )
  let words = ""
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4000)
    start.options.log.debug({ line: chunk.toString().trim() }, "postgres")
  })
  return { child, words: () => words }
}

/** The process id in postmaster.pid, when such a process lives. */
async function serverProcess(folder: string): Promise<number | undefined> {
  const first = (await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => "")).split("\n")[0]
  const pid = Number(first)
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

async function isResponding(url: string): Promise<boolean> {
  const sql = connect(url.replace(`/${databaseName}?`, "/postgres?"), { max: 1 })
  try {
    const exists = await sql`select 1 from pg_database where datname = ${databaseName}`
    if (exists.length === 0) await sql.unsafe(`create database ${databaseName}`).catch(ignoreDuplicate)
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 0 })
  }
}

function ignoreDuplicate(error: unknown): void {
  if (!/already exists|duplicate key/.test(String(error))) throw error
}

/**
 * One process at a time owns a data folder. The claim is a session's advisory lock in the database
 * itself: it ends with its holder however that dies, so a leftover file can never block a start.
 */
async function claim(url: string, dataDir: string): Promise<Pool> {
  const sql = connect(url, {
    max: 1,
    applicationName: "fieldway-owner",
    idleSeconds: 0,
    statementTimeoutMilliseconds: 0,
  })
  const held = await sql<{ held: boolean }[]>`select pg_try_advisory_lock(${ownerLock}) as held`
  if (held[0]?.held) return sql
  await sql.end({ timeout: 1 })
  throw new ConfigError([
    `DATA_DIR: another Fieldway process already uses ${dataDir}; stop it or choose another folder`,
  ])
}

async function stopServer(folder: string, child: ChildProcess | undefined): Promise<void> {
  const pid = child?.pid ?? (await serverProcess(folder))
  if (pid === undefined) return
  try {
    process.kill(pid, "SIGINT")
  } catch {
    return
  }
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    if (
      child
        ? child.exitCode !== null || child.signalCode !== null
        : (await serverProcess(folder)) === undefined
    )
      return
    await pause(10)
  }
}
