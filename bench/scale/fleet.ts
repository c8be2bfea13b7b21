/*
 * Vehicles that send once a second, each on its own connection, with watchers, and beside them exports, imports, plans and
 * lists of the same organization. First rounds with more vehicles each, to find the highest rate that holds; then that
 * rate for the given time. Vehicles and watchers live in another process, so resident memory is the server's.
 * A rate holds when nothing is refused or lost, at most one turn in a thousand waits for the one before, and a watcher
 * has 99 of 100 positions within 100 ms of their response.
 * Run: node --expose-gc bench/scale/fleet.ts [vehicles] [seconds] [watchers]     (ulimit -n 40000)
 */
import { aDataType, aHub, aUser } from "#samples/builders.ts"
import type { Call } from "../load/fairness-client.ts"
import { type Bench, startBench } from "../load/harness.ts"
import { csvOf, planOf } from "../load/heavy-bodies.ts"
import type { LiveOrder } from "../load/live-clients.ts"
import { playLive } from "../load/play-live.ts"
import { databaseMilliseconds, postmasterOf } from "../load/processor-time.ts"
import { type SeededTasks, seedTasks } from "../load/seed-tasks.ts"
import { steadyLoad } from "../load/steady-load.ts"

const [most = 10_000, seconds = 600, watchers = 200] = process.argv.slice(2).map(Number)
const roundSeconds = 30
const steps = [500, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000].filter(
  (step) => step < most,
)

const bench = await startBench({ STREAMS_PER_USER: "0", STREAMS_PER_ORGANIZATION: "0" })
try {
  const postmaster = await postmasterOf(bench.sql)
  const seeded = await seedTasks(bench.sql, 20_000)
  const order = await fleetOf(bench, seeded)
  const groups = await heavyCalls(bench, seeded)
  const beside = steadyLoad(bench.address, [{ token: order.watcherToken, groups }], 1_000)
  process.stdout.write(
    "| Vehicles | Seconds | Accepted/s | Refused | Turns skipped | Never seen | p50 ms | p99 ms | Node processors | PostgreSQL processors | Heap MB | Resident MB | |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
  )
  let highest = 0
  for (const vehicles of [...steps, most]) {
    if (!(await round(order, vehicles, roundSeconds, postmaster))) break
    highest = vehicles
  }
  if (highest > 0) await round(order, highest, seconds, postmaster)
  process.stdout.write(`highest rate that held: ${highest} positions a second\n`)
  process.stdout.write(`beside it: ${JSON.stringify(await beside.end())}\n`)
} finally {
  await bench.close()
}

/** Plays some of the vehicles and prints a row. Returns whether the rate held. */
async function round(
  order: LiveOrder,
  vehicles: number,
  duration: number,
  postmaster: number,
): Promise<boolean> {
  const [cpu, ticks] = [process.cpuUsage(), databaseMilliseconds(postmaster)]
  const outcome = await playLive({
    ...order,
    phones: order.phones.slice(0, vehicles),
    seconds: duration,
  })
  const used = process.cpuUsage(cpu)
  const database = databaseMilliseconds(postmaster) - ticks
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const sorted = outcome.milliseconds.toSorted()
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  const holds =
    outcome.refused + outcome.unseen === 0 &&
    outcome.skipped <= (vehicles * duration) / 1_000 &&
    at(0.99) <= 100
  const cells = [
    ...[vehicles, duration, Math.round(outcome.accepted / duration)],
    ...[outcome.refused, outcome.skipped, outcome.unseen],
    ...[at(0.5), at(0.99)].map((value) => value.toFixed(0)),
    ...[(used.user + used.system) / 1e6, database / 1e3].map((value) => (value / duration).toFixed(2)),
    ...[heapUsed, rss].map((bytes) => (bytes / 1024 ** 2).toFixed(0)),
  ]
  process.stdout.write(`| ${cells.join(" | ")} | ${holds ? "holds" : "does not hold"} |\n`)
  return holds
}

async function fleetOf({ sql, tokenOf, address }: Bench, { org }: SeededTasks): Promise<LiveOrder> {
  const hub = await aHub(sql, { org })
  const phones: LiveOrder["phones"][number][] = []
  for (let count = 0; count < most; count += 1) {
    const person = await aUser(sql, { org, role: "field user", hubs: [hub] })
    phones.push({ token: await tokenOf(person), userId: person.id })
  }
  await sql`analyze`
  return { address, phones, watcherToken: await tokenOf(org.owner), watchers, seconds: 0 }
}

/** One of each at a time, with a pause of a second. */
async function heavyCalls({ sql }: Bench, { org, hubs }: SeededTasks): Promise<Call[][]> {
  const type = await aDataType(sql, { org })
  const fields = { type: "datasource", dataTypeId: type.id, hubId: hubs[0]?.id ?? "", mode: "upsert" }
  const post = (path: string, body: object): Call => ({
    name: `POST ${path}`,
    method: "POST",
    path: `/api/v3${path}`,
    body: JSON.stringify(body),
  })
  return [
    [post("/tasks/export", { download: "xlsx" })],
    [post("/routing", planOf(hubs[0]?.id ?? ""))],
    [{ ...post("/data/import?force=true", {}), upload: { csv: csvOf(5_000), fields } }],
    [{ name: "GET /tasks", method: "GET", path: "/api/v3/tasks?limit=20" }],
  ]
}
