/*
 * A hundred million positions of one organization of 2,000 people against a million of the same: the day of one person,
 * the newest positions of everybody, insertion, dropping a partition, and the bytes of a point.
 *
 * node bench/scale/location-volume.ts fill [points] [folder]   fills the large store, about 14 GB and half an hour; a run that
 *                                                       was interrupted goes on
 * node bench/scale/location-volume.ts [points] [folder] [reads] [bulk] [single] [drop]
 *                                                       measures all or some, minutes; the large store stays for the
 *                                                       next time
 */
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { systemClock } from "#core/clock.ts"
import type { Pool } from "#core/database/database.ts"
import { startEmbeddedPostgres } from "#core/embedded/embedded-postgres.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { createLog } from "#core/telemetry/log.ts"
import { locationJobs } from "../../server/features/location/positions/index.ts"
import { type Bench, median, printRatio, startBench } from "../load/harness.ts"
import { measureDrops } from "../load/location-retention.ts"
import {
  bytesAPoint,
  type FilledStore,
  fillStore,
  peopleCount,
  pointsADay,
  settleStore,
} from "../load/seed-points.ts"

const words = process.argv.slice(2)
const isFill = words[0] === "fill"
const [pointsText = "100000000", folderText, ...parts] = isFill ? words.slice(1) : words
const wants = (part: string) => parts.length === 0 || parts.includes(part)
const largePoints = Number(pointsText)
const smallPoints = 1_000_000
const largeFolder = resolve(folderText ?? join(tmpdir(), `fieldway-volume-${largePoints}`))
const log = createLog("error")

interface Store extends FilledStore {
  bench: Bench
  token: string
  close(): Promise<void>
}

/** Opens a store, and fills what is missing. `settings` are of the database. */
async function openStore(folder: string, points: number, settings: readonly string[] = []): Promise<Store> {
  await mkdir(folder, { recursive: true })
  // Where root runs this, PostgreSQL runs as somebody else, who must get in.
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres(folder, { log, settings })
  // Only the HTTP server: no nightly job of another day wakes up in the middle.
  const bench = await startBench({ DATABASE_URL: postgres.url, ROLE: "api" }).catch(async (error) => {
    await postgres.stop()
    throw error
  })
  const close = async () => {
    await bench.close()
    await postgres.stop()
  }
  try {
    const filled = await fillStore(bench.sql, points, printLine)
    return { ...filled, bench, token: await bench.tokenOf(filled.org.owner), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function fillLarge(): Promise<void> {
  // A store that can be made again needs no safety while it is made.
  const unsafe = [
    "fsync=off",
    "full_page_writes=off",
    "autovacuum=off",
    "synchronous_commit=off",
    // Rows of a table that the same transaction makes are then not written twice.
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=6GB",
    "checkpoint_timeout=30min",
    "maintenance_work_mem=512MB",
  ]
  const store = await openStore(largeFolder, largePoints, unsafe)
  try {
    printLine(
      `${store.points} points, ${(await bytesAPoint(store.bench.sql)).toFixed(1)} bytes each before their nights`,
    )
    await settleStore(store.bench.sql, () => runNights(store.bench.sql))
    printLine(`${(await bytesAPoint(store.bench.sql)).toFixed(1)} bytes each, packed`)
  } finally {
    await store.close()
  }
}

async function measure(): Promise<void> {
  const smallFolder = await mkdtemp(join(tmpdir(), "fieldway-volume-small-"))
  const stores: Store[] = []
  try {
    const small = await openStore(smallFolder, smallPoints)
    stores.push(small)
    await settleStore(small.bench.sql, () => runNights(small.bench.sql))
    const large = await openStore(largeFolder, largePoints)
    stores.push(large)
    // Of a store that an older version filled; nothing where it was done.
    await runNights(large.bench.sql)
    printLine(
      `${large.points} points against ${small.points}, ${peopleCount} people, ${pointsADay} points a day each`,
    )
    if (wants("reads")) await compareReads(large, small)
    if (wants("bulk")) await compareBulks(large, small)
    if (wants("single")) await compareSingles(large, small)
    if (wants("drop")) await measureDrops(large.bench.sql, large.org.id)
    printRatio({
      name: "bytes of a stored point with its indexes",
      measured: await bytesAPoint(large.bench.sql),
      base: 140,
      unit: "bytes",
      atMost: 1,
    })
  } finally {
    for (const store of stores) await store.close()
    await rm(smallFolder, { recursive: true, force: true })
  }
}

type AskedPath = (store: Store) => Promise<string>

const reads: readonly { name: string; path: AskedPath; count: number; atMost?: number }[] = [
  { name: "track of a person's day, as on the map", path: trackPath, count: 61, atMost: 2 },
  { name: "a person's day, GET /location-histories", path: dayPath, count: 61, atMost: 2 },
  {
    name: "newest positions of everybody, as on the map",
    path: async () => "/positions",
    count: 21,
    atMost: 2,
  },
  {
    name: "newest positions of everybody, GET /location-histories?isLatest=true",
    path: async () => `/location-histories?isLatest=true&limit=${peopleCount}`,
    count: 21,
    atMost: 2,
  },
  // What the budget does not name and people do.
  { name: "first page of everybody's points", path: async () => "/location-histories", count: 21 },
]

/** Somebody's day of any day that the store has: most of them nobody has looked at since they were written. */
async function trackPath(store: Store): Promise<string> {
  return `/track/${(await someone(store)).id}?date=${oneOf(store.days)}`
}

async function dayPath(store: Store): Promise<string> {
  const day = oneOf(store.days)
  const email = encodeURIComponent((await someone(store)).email)
  return `/location-histories?email=${email}&timeBy=createdTime&timeFrom=${day}%2000:00:00&timeTo=${day}%2023:59:59&limit=1000`
}

interface Someone {
  id: string
  email: string
  number: number
}

const everybody = new WeakMap<Store, Someone[]>()

async function someone(store: Store): Promise<Someone> {
  const known =
    everybody.get(store) ??
    (await store.bench.sql<Someone[]>`
      select id, email, number from users where organization_id = ${store.org.id} and name like 'Driver %'`)
  everybody.set(store, known)
  return oneOf(known)
}

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error("nothing to choose from")
  return item
}

async function compareReads(large: Store, small: Store): Promise<void> {
  for (const { name, path, count, atMost } of reads) {
    const times = { measured: [] as number[], base: [] as number[] }
    // The two stores take turns, so that whatever else the machine does meets both.
    for (let turn = -3; turn < count; turn += 1) {
      const measured = await millisecondsOf(large, await path(large))
      const base = await millisecondsOf(small, await path(small))
      if (turn < 0) continue
      times.measured.push(measured)
      times.base.push(base)
    }
    const sides = { measured: median(times.measured), base: median(times.base) }
    if (atMost !== undefined) printRatio({ name, ...sides, unit: "ms", atMost })
    else
      printLine(
        `${name}: ${sides.measured.toFixed(2)} against ${sides.base.toFixed(2)} ms, ratio ${(sides.measured / sides.base).toFixed(2)}`,
      )
  }
}

async function millisecondsOf({ bench, token }: Store, path: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${bench.address}/api/v3${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  const milliseconds = performance.now() - started
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
  return milliseconds
}

const insertRounds = 5
let clock = Date.now() - 3_600_000

function entries(emails: readonly string[]) {
  return emails.map((email, index) => {
    clock += 7
    const createdTime = new Date(clock).toISOString().replace("Z", "+00:00")
    return { email, lat: 52 + index * 1e-4, lon: 4 + (index % 77) * 1e-4, speed: index % 90, createdTime }
  })
}

/** A thousand points a call: half of the calls a phone that was offline, half a gateway with a point of many people. */
async function compareBulks(large: Store, small: Store): Promise<void> {
  const calls = 30
  await compareInserts("POST /location-history/bulk, 1,000 points a call", large, small, {
    path: "/api/v3/location-history/bulk",
    connections: 4,
    pointsEach: 1000,
    bodies: async (store) => {
      const bodies: string[] = []
      for (let call = 0; call < calls; call += 1) {
        const one = (await someone(store)).email
        const emails: string[] = []
        for (let point = 0; point < 1000; point += 1)
          emails.push(call % 2 === 0 ? one : (await someone(store)).email)
        bodies.push(JSON.stringify({ location_histories: entries(emails) }))
      }
      return bodies
    },
  })
}

async function compareSingles(large: Store, small: Store): Promise<void> {
  await compareInserts("POST /location-history, one point of any of 2,000 people a call", large, small, {
    path: "/api/v3/location-history",
    connections: 100,
    pointsEach: 1,
    bodies: async (store) => {
      const emails: string[] = []
      for (let point = 0; point < 4_000; point += 1) emails.push((await someone(store)).email)
      return entries(emails).map((entry) => JSON.stringify(entry))
    },
  })
}

interface Inserts {
  path: string
  connections: number
  pointsEach: number
  bodies(store: Store): Promise<string[]>
}

async function compareInserts(name: string, large: Store, small: Store, inserts: Inserts): Promise<void> {
  const rates = { measured: [] as number[], base: [] as number[] }
  const { path, connections } = inserts
  for (let round = -1; round < insertRounds; round += 1)
    for (const store of round % 2 === 0 ? [large, small] : [small, large]) {
      const bodies = await inserts.bodies(store)
      const { bench, token } = store
      const load = {
        path,
        method: "POST",
        token,
        bodies,
        requests: bodies.length,
        warmUp: 0,
        connections,
      } as const
      const outcome = await bench.load(load)
      if (outcome.refused > 0) throw new Error(`${path}: ${outcome.refused} calls were refused`)
      const side = store === large ? rates.measured : rates.base
      if (round >= 0) side.push((bodies.length * inserts.pointsEach) / outcome.seconds)
    }
  const sides = { measured: median(rates.measured), base: median(rates.base) }
  printRatio({ name, ...sides, unit: "points/s", atLeast: 0.8 })
}

/** What the nights do to a store that has grown. */
async function runNights(sql: Pool): Promise<void> {
  await runJob(sql, "location.order-months")
  await runJob(sql, "location.pack-indexes")
}

async function runJob(sql: Pool, name: string): Promise<void> {
  const job = locationJobs.find((candidate) => candidate.name === name)
  if (!job) throw new Error(`no job ${name}`)
  const signal = new AbortController().signal
  const context: Partial<JobContext> = {
    sql,
    clock: systemClock,
    log,
    signal,
    attempt: 1,
    isLastAttempt: false,
  }
  // The jobs of positions use nothing else of it.
  await job.handle(context as JobContext, {})
}

function printLine(text: string): void {
  process.stdout.write(`       ${text}\n`)
}

if (isFill) await fillLarge()
else await measure()
