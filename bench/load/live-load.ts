/*
 * The live map under load: 1,000 phones that send once a second and 200 watchers. From the acceptance of a position
 * to a watcher, against a bare NOTIFY that is written to a stream; and the memory of the server's process (phones and
 * watchers live in another).
 * Run: node --expose-gc bench/live-load.ts [seconds] [phones] [watchers]
 */
import { createServer } from "node:http"
import { constants, PerformanceObserver } from "node:perf_hooks"
import { coalesceMilliseconds } from "#core/events/live-events.ts"
import { aHub, anOrganization, aUser } from "#samples/builders.ts"
import { type Bench, median, printRatio, startBench } from "./harness.ts"
import type { LiveOrder } from "./live-clients.ts"
import { playLive } from "./play-live.ts"

const seconds = Number(process.argv[2] ?? 60)
const phoneCount = Number(process.argv[3] ?? 1_000)
const watcherCount = Number(process.argv[4] ?? 200)

const bench = await startBench()
try {
  const trip = await notifyRoundTrip(bench)
  const org = await anOrganization(bench.sql)
  const hub = await aHub(bench.sql, { org })
  const phones: LiveOrder["phones"][number][] = []
  for (let count = 0; count < phoneCount; count += 1) {
    const person = await aUser(bench.sql, { org, role: "field user", hubs: [hub] })
    phones.push({ token: await bench.tokenOf(person), userId: person.id, lat: 40 + count * 0.01, lon: 5.5 })
  }
  // What autovacuum does within its first minute.
  await bench.sql`analyze`
  const watcherToken = await bench.tokenOf(org.owner)
  const order: LiveOrder = { address: bench.address, phones, watcherToken, watchers: watcherCount, seconds }
  const heap: number[] = []
  const resident: number[] = []
  // Collections that happen anyway: one that is asked for holds up the server for a tenth of a second.
  const collections = new PerformanceObserver((list) => {
    if (list.getEntries().some(isWholeCollection)) heap.push(process.memoryUsage().heapUsed / 1024 ** 2)
  })
  const sample = () => resident.push(process.memoryUsage.rss() / 1024 ** 2)
  globalThis.gc?.()
  collections.observe({ entryTypes: ["gc"] })
  sample()
  const sampling = setInterval(sample, Math.min(10_000, seconds * 100))
  const before = process.cpuUsage()
  const outcome = await playLive(order)
  const used = process.cpuUsage(before)
  clearInterval(sampling)
  collections.disconnect()
  sample()
  const sorted = outcome.milliseconds.toSorted()
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  process.stdout.write(
    `       ${phoneCount} phones, ${watcherCount} watchers, ${seconds} s: ${outcome.accepted} accepted, ${outcome.refused} refused, ` +
      `${outcome.skipped} turns skipped, ${outcome.unseen} never seen, ${(outcome.watcherBytes / 1024 ** 2).toFixed(0)} MB to watchers, ` +
      `${((used.user + used.system) / 1e6 / seconds).toFixed(2)} processors in the server\n` +
      `       heap after ${heap.length} whole collections, MB, median of each tenth: ${shown(tenths(heap))}\n` +
      `       resident size of the server, MB, median of each tenth: ${shown(tenths(resident))}\n` +
      `       bare NOTIFY to a stream: ${trip.toFixed(2)} ms\n`,
  )
  // The first tenth is still compiled and connected.
  for (const [name, values] of [
    ["heap", tenths(heap)],
    ["resident size of the server", tenths(resident)],
  ] as const)
    printRatio({
      name: `${name} in the last tenth of the time against the second tenth`,
      measured: values[9] ?? 0,
      base: values[1] ?? 0,
      unit: "MB",
      atMost: 1.1,
    })
  printRatio({
    name: "accepted until seen, median, against the coalescing window plus two bare trips",
    measured: at(0.5),
    base: coalesceMilliseconds + 2 * trip,
    unit: "ms",
    atMost: 1,
  })
  printRatio({
    name: "accepted until seen, 99th percentile against the median",
    measured: at(0.99),
    base: at(0.5),
    unit: "ms",
    atMost: 3,
  })
} finally {
  await bench.close()
}

/** The median of each tenth of what was sampled. */
function tenths(values: readonly number[]): number[] {
  return Array.from({ length: 10 }, (_, part) => {
    const [from, end] = [part, part + 1].map((each) => Math.floor((each * values.length) / 10))
    return median(values.slice(from, Math.max(end ?? 0, (from ?? 0) + 1)))
  })
}

function shown(megabytes: readonly number[]): string {
  return megabytes.map((each) => each.toFixed(0)).join(" ")
}

/** The type of an entry does not have the detail that entries of collections have. */
function isWholeCollection(entry: PerformanceEntry & { detail?: { kind?: number } }): boolean {
  return entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

/** Median milliseconds from sending a NOTIFY to reading it from an HTTP stream that its listener writes to. */
async function notifyRoundTrip({ sql }: Bench): Promise<number> {
  const server = createServer((_request, response) => {
    // The head leaves with the first line, when the listener is there.
    void sql.listen("bench_bare", (text) => response.write(`${text}\n`)).then(() => response.write("\n"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address ? address.port : 0
  const abort = new AbortController()
  const reply = await fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal })
  let arrived = () => {}
  void (async () => {
    for await (const _part of reply.body ?? []) arrived()
  })().catch(() => undefined)
  const times: number[] = []
  for (let count = 0; count < 200; count += 1) {
    const started = performance.now()
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    await sql.notify("bench_bare", "x")
    await arrival
    times.push(performance.now() - started)
  }
  abort.abort()
  server.close()
  return median(times)
}
