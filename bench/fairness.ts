/*
 * What one organization's lists, searches, exports, imports, plans and automations cost another one, all of them at
 * once: the other's 50th and 99th percentile, quiet and loaded, in alternating rounds. Both clients are processes of
 * their own. Run: node bench/fairness.ts [seconds of each side] [part of a load's name]
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as pause } from "node:timers/promises"
import { aDataType, aHub } from "#samples/builders.ts"
import { aWebhook } from "#samples/extension-builders.ts"
import type { Call, ClientOrder, ClientReport } from "./load/fairness-client.ts"
import { type Bench, startBench } from "./load/harness.ts"
import { csvOf, planOf } from "./load/heavy-bodies.ts"
import { type SeededTasks, seedTasks, settle } from "./load/seed-tasks.ts"

const seconds = Number(process.argv[2] ?? 30)
const only = process.argv[3] ?? ""
const rounds = 4
const [manyTasks, manyRecords] = [50_000, 20_000]
/** What the 99th percentile may be: three times the quiet one or this, whichever is larger. */
const allowedMilliseconds = 50

/** Run all the time, loaded or not. */
const everySecond = ["audit-log.seal", "eta.follow"]

const bench = await startBench({ WEBHOOK_ALLOW: "127.0.0.1" })
const sink = createServer((_request, reply) => void reply.end("{}")).listen(0, "127.0.0.1")
try {
  const calls = await loads(bench)
  const probe = await probes(bench)
  await settle(bench.sql)
  await bench.sql`checkpoint`
  // Once without measuring: connections, prepared statements and compiled code are there afterwards.
  await report({ ...probe, seconds: Math.min(5, seconds) })
  const delays: number[] = []
  const [quiet, loaded, load]: ClientReport[][] = [[], [], []]
  for (let round = 1; round <= rounds; round += 1) {
    progress(round, "quiet")
    quiet?.push(await report({ ...probe, seconds: seconds / rounds }))
    const loading = report({ ...calls, isBehind: true, seconds: seconds / rounds + 3 })
    await pause(2_000)
    progress(round, "loaded")
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    loaded?.push(await report({ ...probe, seconds: seconds / rounds }))
    delay.disable()
    delays.push(delay.percentile(99) / 1e6)
    progress(round, "over")
    load?.push(await loading)
    await endJobs(bench)
  }
  print(merge(quiet ?? []), merge(loaded ?? []), merge(load ?? []))
  const worst = Math.max(...delays).toFixed(1)
  process.stdout.write(`event loop delay under load, p99 of the worst round: ${worst} ms\n`)
} finally {
  sink.close()
  await bench.close()
}

function progress(round: number, phase: string): void {
  process.stderr.write(`round ${round} ${phase} ${new Date().toISOString()}\n`)
}

/** Drops the jobs that the load has left behind and waits for those that run, so that the next round begins quietly. */
async function endJobs({ sql }: Bench): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    await sql`
      select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs where locked_at is null and run_at <= now()))`
    const running = await sql<{ name: string; seconds: number }[]>`
      select task_identifier as name, extract(epoch from now() - locked_at)::int as seconds from graphile_worker.jobs
      where locked_at is not null and task_identifier <> all (${everySecond})`
    if (running.length === 0) return
    if (attempt === 149) process.stderr.write(`${JSON.stringify(running)}\n`)
    await pause(200)
  }
  throw new Error("jobs of the load are still running after 30 seconds")
}

function merge(reports: readonly ClientReport[]): ClientReport {
  const all: ClientReport = { milliseconds: {}, refused: {} }
  for (const { milliseconds, refused } of reports) {
    for (const [name, times] of Object.entries(milliseconds))
      all.milliseconds[name] = [...(all.milliseconds[name] ?? []), ...times]
    for (const [name, count] of Object.entries(refused)) all.refused[name] = (all.refused[name] ?? 0) + count
  }
  return all
}

async function report(order: ClientOrder): Promise<ClientReport> {
  const client = fork(new URL("./load/fairness-client.ts", import.meta.url), { execArgv: [] })
  client.send(order)
  const [response] = await once(client, "message")
  return response as ClientReport
}

/** The other organization: four clients, each with one call at a time. */
async function probes({ sql, address, tokenOf }: Bench): Promise<ClientOrder> {
  const { org, hubs, flows } = await seedTasks(sql, 1_000)
  const [task] = await sql<{ id: string }[]>`select id from tasks where organization_id = ${org.id} limit 1`
  const position = {
    lat: 52.1,
    lon: 4.9,
    createdTime: new Date().toISOString().replace("Z", "+00:00"),
    email: org.owner.email,
  }
  return {
    address,
    token: await tokenOf(org.owner),
    seconds,
    pauseMilliseconds: 30,
    groups: [
      [{ name: "GET /tasks", method: "GET", path: "/api/v3/tasks?limit=20" }],
      [{ name: "GET /task/{id}", method: "GET", path: `/api/v3/task/${task?.id}` }],
      [
        {
          name: "POST /task",
          method: "POST",
          path: "/api/v3/task",
          body: JSON.stringify({ hubId: hubs[0]?.id, flow: flows[0]?.name, siteName: "Probe {n}" }),
        },
      ],
      [
        {
          name: "POST /location-history",
          method: "POST",
          path: "/api/v3/location-history",
          body: JSON.stringify(position),
        },
      ],
    ],
  }
}

/** Everything that the busy organization does at once. */
async function loads(bench: Bench): Promise<ClientOrder> {
  const { sql, address, tokenOf } = bench
  const seeded = await seedTasks(sql, manyTasks)
  const token = await tokenOf(seeded.org.owner)
  const { port } = sink.address() as AddressInfo
  await aWebhook(sql, { org: seeded.org, url: `http://127.0.0.1:${port}/` })
  const type = await seedRecords(bench, seeded, token)
  const all = [
    ...times(10, {
      name: "GET /data?limit=10000",
      method: "GET",
      path: `/api/v3/data?dataTypeId=${type.id}&limit=10000`,
    }),
    ...times(20, { name: "GET /tasks", method: "GET", path: "/api/v3/tasks?limit=100" }),
    ...times(4, {
      name: "GET /data contains",
      method: "GET",
      path: `/api/v3/data?dataTypeId=${type.id}&filter[note][contains]=arbour`,
    }),
    ...times(2, {
      name: "POST /tasks/export",
      method: "POST",
      path: "/api/v3/tasks/export",
      body: JSON.stringify({ download: "xlsx" }),
    }),
    ...times(2, {
      name: "POST /data/import",
      method: "POST",
      path: "/api/v3/data/import?force=true",
      upload: {
        csv: csvOf(20_000),
        fields: { type: "datasource", dataTypeId: type.id, hubId: type.hubId, mode: "upsert" },
      },
    }),
    ...times(2, {
      name: "POST /routing",
      method: "POST",
      path: "/api/v3/routing",
      body: JSON.stringify(planOf(seeded.hubs[0]?.id ?? "")),
    }),
    ...times(6, {
      name: "POST /task with a webhook",
      method: "POST",
      path: "/api/v3/task",
      body: JSON.stringify({
        hubId: seeded.hubs[0]?.id,
        flow: seeded.flows[0]?.name,
        siteName: "Load {n}",
      }),
    }),
  ]
  const groups = all.filter((call) => call.name.includes(only)).map((call) => [call])
  return { address, token, seconds, pauseMilliseconds: 1, groups }
}

function times(count: number, call: Call): Call[] {
  return Array.from({ length: count }, () => call)
}

/** A data type with records that a search within text has to read. */
async function seedRecords({ sql, address }: Bench, { org }: SeededTasks, token: string) {
  const type = await aDataType(sql, { org })
  const hub = await aHub(sql, { org })
  for (let from = 0; from < manyRecords; from += 2_000) {
    const data = Array.from({ length: 2_000 }, (_, index) => ({
      dataTypeId: type.id,
      dataId: `K-${from + index}`,
      hubId: hub.id,
      note: `Partner ${from + index} of the ${["Harbour", "Mill", "Station"][index % 3]}, ring twice`,
    }))
    const reply = await fetch(`${address}/api/v3/data/bulk/upsert`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ data }),
    })
    if (!reply.ok) throw new Error(`records were refused: ${await reply.text()}`)
    await reply.arrayBuffer()
  }
  return { id: type.id, hubId: hub.id }
}

function print(quiet: ClientReport, loaded: ClientReport, load: ClientReport): void {
  const write = (line: string) => process.stdout.write(`${line}\n`)
  write("| probe | quiet p50 | quiet p99 | loaded p50 | loaded p99 | loaded max | ratio of p99 | allowed | |")
  write("|---|---|---|---|---|---|---|---|---|")
  for (const [name, times] of Object.entries(quiet.milliseconds)) {
    const [q50, q99] = [percentile(times, 0.5), percentile(times, 0.99)]
    const under = loaded.milliseconds[name] ?? []
    const [l50, l99, max] = [percentile(under, 0.5), percentile(under, 0.99), percentile(under, 1)]
    const allowed = Math.max(3 * q99, allowedMilliseconds)
    const figures = [q50, q99, l50, l99, max].map((value) => value.toFixed(1))
    const verdict = l99 <= allowed ? "kept" : "MISSED"
    write(`| ${[name, ...figures, (l99 / q99).toFixed(2), allowed.toFixed(0), verdict].join(" | ")} |`)
  }
  write(`probe calls refused: ${JSON.stringify({ ...quiet.refused, ...loaded.refused })}`)
  for (const [name, times] of Object.entries(load.milliseconds))
    write(`load ${name}: ${times.length} calls, p50 ${percentile(times, 0.5).toFixed(0)} ms`)
  write(`load calls refused: ${JSON.stringify(load.refused)}`)
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
