/*
 * Vehicles that send once a second, each on its own connection, with watchers: the first one of the whole fleet, the others
 * of a hundredth of it, as maps of large fleets do. Beside them exports, imports, plans and lists of the same organization.
 * Rounds find the highest rate that holds, then that rate is kept for the given time, with a row each minute. Vehicles
 * and watchers live in another process, so resident memory is the server's, but they take processors from it.
 * A rate holds when nothing is refused or lost, at most one turn in a thousand waits for the one before, and the watcher of
 * the whole fleet has 99 of 100 positions within 100 ms of their response.
 * Run: node --expose-gc bench/scale/fleet.ts [vehicles] [seconds] [watchers] [seconds of a round] [alone]
 * Each of the two processes needs a file for each vehicle: ulimit -n 20000
 */
import { aDataType, aHub, aUser } from "#samples/builders.ts"
import type { Call } from "../load/fairness-client.ts"
import { type Bench, startBench } from "../load/harness.ts"
import { csvOf, planOf } from "../load/heavy-bodies.ts"
import type { LiveOrder, LiveOutcome } from "../load/live-clients.ts"
import { playLive } from "../load/play-live.ts"
import { databaseMilliseconds, machineMilliseconds, postmasterOf } from "../load/processor-time.ts"
import { type SeededTasks, seedTasks } from "../load/seed-tasks.ts"
import { steadyLoad } from "../load/steady-load.ts"

const [most = 10_000, seconds = 600, watchers = 200, roundSeconds = 30] = process.argv.slice(2, 6).map(Number)
const isAlone = process.argv[6] === "alone"
/** Rates are found to so many vehicles. */
const stepVehicles = Math.max(100, Math.round(most / 20))

const bench = await startBench({ STREAMS_PER_USER: "0", STREAMS_PER_ORGANIZATION: "0" })
try {
  const postmaster = await postmasterOf(bench.sql)
  const seeded = await seedTasks(bench.sql, 20_000)
  const order = await fleetOf(bench, seeded)
  const clients = isAlone ? [] : [{ token: order.watcherToken, groups: await heavyCalls(bench, seeded) }]
  const beside = steadyLoad(bench.address, clients, 1_000)
  printHead()
  let accepted = 0
  const tryRate = async (vehicles: number, duration: number) => {
    const outcome = await play(order, vehicles, duration, postmaster)
    accepted += outcome.accepted
    return outcome.holds
  }
  const highest = await highestThatHolds((vehicles) => tryRate(vehicles, roundSeconds))
  process.stdout.write(`\nhighest rate that held: ${highest} positions a second\n\n`)
  if (highest > 0) {
    printHead()
    const isHeld = await tryRate(highest, seconds)
    process.stdout.write(`\n${highest} a second for ${seconds} s: ${isHeld ? "held" : "did not hold"}\n`)
  }
  const stored = await storedPositions(bench, seeded)
  process.stdout.write(`accepted ${accepted}, stored ${stored}, lost ${Math.max(0, accepted - stored)}\n`)
  process.stdout.write(`beside it: ${JSON.stringify(await beside.end())}\n`)
} finally {
  await bench.close()
}

/** Doubles the rate until it does not hold, then halves what is between. */
async function highestThatHolds(holds: (vehicles: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, most + stepVehicles]
  while (high - low > stepVehicles) {
    const next = Math.min(Math.max(low * 2, stepVehicles * 2), (low + high) / 2)
    const vehicles = Math.min(most, Math.ceil(next / stepVehicles) * stepVehicles)
    // A burst of something else on the machine must not decide.
    if ((await holds(vehicles)) || (await holds(vehicles))) low = vehicles
    else high = vehicles
  }
  return low
}

function printHead(): void {
  const columns =
    "Vehicles,s,Accepted/s,Refused,Turns skipped,Never seen,Answer ms (p50 p99),Seen ms (p50 p99),Request thread,Node,PostgreSQL,Clients,Machine,Heap MB,Resident MB,".split(
      ",",
    )
  process.stdout.write(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}\n`)
}

/** Plays some of the vehicles and prints a row each minute. */
async function play(order: LiveOrder, vehicles: number, duration: number, postmaster: number) {
  let holds = true
  let accepted = 0
  let before: Usage | undefined
  let left = duration
  const phones = order.phones.slice(0, vehicles)
  await playLive({ ...order, phones, seconds: duration, partSeconds: 60 }, (part) => {
    accepted += part.accepted
    const now = usage(postmaster)
    if (before === undefined) {
      before = now
      return
    }
    if (left <= 0) {
      // What came after the end.
      if (part.refused + part.unseen > 0) holds = false
      return
    }
    const elapsed = Math.min(60, left)
    left -= elapsed
    const reasons = reasonsOf(part, vehicles * elapsed)
    if (reasons.length > 0) holds = false
    printRow(vehicles, elapsed, part, { before, now }, reasons)
    before = now
  })
  globalThis.gc?.()
  return { holds, accepted }
}

type Usage = ReturnType<typeof usage>

/** Milliseconds of processor time so far. */
function usage(postmaster: number) {
  const of = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
  return {
    thread: of(process.threadCpuUsage()),
    node: of(process.cpuUsage()),
    database: databaseMilliseconds(postmaster),
    machine: machineMilliseconds(),
  }
}

function printRow(
  vehicles: number,
  elapsed: number,
  part: LiveOutcome,
  { before, now }: { before: Usage; now: Usage },
  reasons: readonly string[],
): void {
  const { heapUsed, rss } = process.memoryUsage()
  const processors = (name: keyof Usage) => ((now[name] - before[name]) / elapsed / 1000).toFixed(2)
  const times = (values: Float64Array) =>
    [0.5, 0.99].map((share) => quantile(values, share).toFixed(0)).join(", ")
  const cells = [
    ...[vehicles, elapsed.toFixed(0), Math.round(part.accepted / elapsed), part.refused, part.skipped],
    ...[part.unseen, times(part.answers), times(part.milliseconds)],
    ...[processors("thread"), processors("node"), processors("database")],
    ...[(part.processorSeconds / elapsed).toFixed(2), processors("machine")],
    ...[heapUsed, rss].map((bytes) => (bytes / 1024 ** 2).toFixed(0)),
    reasons.length === 0 ? "holds" : reasons.join(", "),
  ]
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
}

/** Why a rate does not hold. */
function reasonsOf(part: LiveOutcome, due: number): string[] {
  return [
    ...(part.refused > 0 ? ["refused"] : []),
    ...(part.unseen > 0 ? ["never seen"] : []),
    ...(part.skipped > due / 1_000 ? ["late answers"] : []),
    ...(quantile(part.milliseconds, 0.99) > 100 ? ["seen late"] : []),
  ]
}

function quantile(values: Float64Array, share: number): number {
  return values.toSorted()[Math.floor(values.length * share)] ?? 0
}

/** Ten by ten degrees in a hundred areas. */
function areasOfFleet(): string[] {
  return Array.from({ length: 100 }, (_, index) => {
    const [west, south] = [5 + (index % 10), 45 + Math.floor(index / 10)]
    return `${west},${south},${west + 1},${south + 1}`
  })
}

async function fleetOf({ sql, tokenOf, address }: Bench, { org }: SeededTasks): Promise<LiveOrder> {
  const hub = await aHub(sql, { org })
  const phones: LiveOrder["phones"][number][] = []
  for (let count = 0; count < most; count += 1) {
    const person = await aUser(sql, { org, role: "field user", hubs: [hub] })
    const [lat, lon] = [45 + ((count * 7919) % 10_000) / 1_000, 5 + ((count * 104_729) % 10_000) / 1_000]
    phones.push({ token: await tokenOf(person), userId: person.id, lat, lon })
  }
  await sql`analyze`
  return {
    address,
    phones,
    watcherToken: await tokenOf(org.owner),
    watchers,
    areas: areasOfFleet(),
    seconds: 0,
  }
}

async function storedPositions({ sql }: Bench, { org }: SeededTasks): Promise<number> {
  const session = await sql.reserve()
  await session`set statement_timeout = 0`
  const [row] = await session<{ count: number }[]>`
    select count(*) as count from location_points where organization_number = (select number from organizations where id = ${org.id})`
  session.release()
  return row?.count ?? 0
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
