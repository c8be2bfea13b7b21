/*
 * Processor time of the calls that console, phones, devices and integrations make most, of Node and of PostgreSQL, and
 * its ratio to the bare equivalent: the SQL that reads or writes the same rows, and JSON.stringify of the same response.
 * The server runs in this process and the client in another, so that only the server counts.
 * Run: node bench/request-cost.ts ["part of a name|another one"] [tasks] [rounds]
 */
import pg from "pg"
import { median, startBench } from "./load/harness.ts"
import { loadFromOtherProcess } from "./load/other-process.ts"
import { databaseMilliseconds, postmasterOf } from "./load/processor-time.ts"
import { type Call, prepareCalls } from "./load/request-cost-calls.ts"

const [only = "", tasks = "20000", rounds = "3"] = process.argv.slice(2)
/** A call may cost this many times its bare equivalent. */
const atMost = 4

/** Milliseconds of processor time a request. */
interface Cost {
  node: number
  database: number
}

const bench = await startBench()
try {
  const calls = await prepareCalls(bench, Number(tasks))
  const postmaster = await postmasterOf(bench.sql)
  const { host, database } = bench.sql.options
  const bare = new pg.Client({ host: String([host].flat()[0]), database: String(database), user: "fieldway" })
  bare.on("error", () => undefined)
  await bare.connect()
  process.stdout.write(
    "| Call | Node ms | PostgreSQL ms | both | bare ms | ratio |\n|---|---|---|---|---|---|\n",
  )
  const names = only.split("|")
  for (const call of calls.filter(({ name }) => names.some((part) => name.includes(part))))
    await measure(bare, postmaster, call).catch((error: unknown) =>
      process.stdout.write(`${String(error)}\n`),
    )
  await bare.end()
} finally {
  await bench.close()
}

async function measure(bare: pg.Client, postmaster: number, call: Call): Promise<void> {
  const served: Cost[] = []
  const direct: Cost[] = []
  const response = await responseOf(call)
  const batch = Math.ceil(call.requests / Number(rounds))
  await send(call, 0, batch)
  for (let round = 1; round <= Number(rounds); round += 1) {
    served.push(await costOf(postmaster, batch, () => send(call, round, batch)))
    direct.push(
      await costOf(postmaster, batch, async () => {
        for (let number = 0; number < batch; number += 1) {
          const { text, values } = call.bare((round - 1) * batch + number)
          await bare.query({ name: `${call.name} ${text.length}`, text, values })
          JSON.stringify(response)
        }
      }),
    )
  }
  const node = median(served.map((cost) => cost.node))
  const database = median(served.map((cost) => cost.database))
  const base = median(direct.map((cost) => cost.node + cost.database))
  const ratio = (node + database) / base
  const cells = [node, database, node + database, base].map((value) => value.toFixed(3))
  process.stdout.write(
    `| ${call.name} | ${cells.join(" | ")} | ${ratio.toFixed(1)}${ratio > atMost ? " missed" : ""} |\n`,
  )
}

async function costOf(postmaster: number, requests: number, work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, database] = [process.cpuUsage(), databaseMilliseconds(postmaster)]
  await work()
  const used = process.cpuUsage(cpu)
  return {
    node: (used.user + used.system) / 1000 / requests,
    database: (databaseMilliseconds(postmaster) - database) / requests,
  }
}

/** Sends one round's requests over twenty connections of another process. */
async function send({ request, name }: Call, round: number, count: number): Promise<void> {
  const { method = "GET", paths, bodies, headers } = request
  const cut = <T>(list: readonly T[]) =>
    list.length > 1 ? list.slice((round * count) % list.length).slice(0, count) : list
  await loadFromOtherProcess({
    address: bench.address,
    method,
    headers,
    paths: cut(paths),
    body: undefined,
    bodies: bodies && cut(bodies),
    requests: count,
    connections: 20,
    warmUp: 0,
  }).catch((error: unknown) => {
    throw new Error(`${name}: ${String(error)}`)
  })
}

/** The body that is serialized on the bare side: the response of one request. */
async function responseOf({ request, name }: Call): Promise<unknown> {
  const { method = "GET", paths, bodies, headers } = request
  const response = await fetch(`${bench.address}${paths.at(-1)}`, {
    method,
    headers: { ...headers, ...(bodies ? { "content-type": "application/json" } : {}) },
    body: bodies?.at(-1) ?? null,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name}: ${response.status} ${text}`)
  return JSON.parse(text || "null")
}
