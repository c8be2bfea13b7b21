/*
 * Exports of tasks with 30 fields against writing the same rows to the same format from memory, and what the requests
 * of others take meanwhile.
 * Run: node --expose-gc bench/exports.ts [tasks] [only one format: xlsx, csv]
 */
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import type { SheetColumn, SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { mean, printRatio, startBench } from "./load/harness.ts"
import { seedTasks, settle } from "./load/seed-tasks.ts"

const taskCount = Number(process.argv[2] ?? 1_000_000)
const only = process.argv[3]
const rounds = 3
const keys =
  `_id flow hubId hub startTime endTime appVersion deviceInformation title content label createdBy createdTime
  updatedBy updatedTime assignee assignedBy status doneBy doneTime eta etd distance travelDuration duration
  waitingTime flowId orderIndex refId routingResultId`.split(/\s+/)
const timeKeys = new Set(["startTime", "endTime", "createdTime", "updatedTime", "doneTime"])

const columns: SheetColumn[] = keys.map((key) =>
  timeKeys.has(key) ? { title: key, kind: "dateTime" } : { title: key },
)

/** Rows as an export has them, made without a database. */
function* rowsInMemory(): Generator<SheetValue[]> {
  const start = Date.UTC(2029, 0, 1)
  for (let n = 0; n < taskCount; n++) {
    const at = start + n * 60_000
    yield keys.map((key) => {
      if (timeKeys.has(key)) return at
      if (key === "orderIndex") return Math.floor(at / 1000) * 100_000
      if (["_id", "hubId", "flowId"].includes(key)) return n.toString(16).padStart(24, "0")
      if (["assignee", "assignedBy", "createdBy", "doneBy"].includes(key))
        return `person-${n % 200}@fieldway.test`
      if (["flow", "hub", "status", "label", "refId"].includes(key)) return `${key}-${n % 10}`
      return key === "title" || key === "content" ? `Visit ${n} Harbour` : null
    })
  }
}

async function fromMemory(format: "xlsx" | "csv", path: string): Promise<number> {
  const start = performance.now()
  const out = createWriteStream(path)
  if (format === "xlsx") await writeXlsx(out, [{ name: "Tasks", columns, rows: rowsInMemory() }])
  else await writeCsv(out, { columns, rows: rowsInMemory() })
  out.end()
  await finished(out)
  return (performance.now() - start) / 1000
}

const folder = await mkdtemp(join(tmpdir(), "fieldway-bench-"))
const bench = await startBench()
try {
  const { org, count } = await seedTasks(bench.sql, taskCount)
  await settle(bench.sql)
  const token = await bench.tokenOf(org.owner)
  const startExport = async (format: string) => {
    const reply = await fetch(`${bench.address}/api/v3/tasks/export`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ download: format, background: true, fields: keys.join(",") }),
    })
    if (!reply.ok) throw new Error(await reply.text())
  }
  const exportSeconds = async (format: string) => {
    const start = performance.now()
    await startExport(format)
    for (;;) {
      const [row] = await bench.sql<{ status: string; totalRecords: number }[]>`
        select status, total_records from exports where organization_id = ${org.id} order by requested_time desc limit 1`
      if (row?.status === "Done" && row.totalRecords === count) return (performance.now() - start) / 1000
      if (row?.status !== "Processing") throw new Error(`the export ended as ${row?.status}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  for (const format of ["xlsx", "csv"] as const) {
    if (only !== undefined && only !== format) continue
    const memory = [await fromMemory(format, join(folder, format))]
    const exported: number[] = []
    globalThis.gc?.()
    let grown = 0
    // By turns: a machine is not as fast in one minute as in another.
    for (let round = 0; round < rounds; round++) {
      const before = process.memoryUsage.rss()
      const timer = setInterval(() => {
        grown = Math.max(grown, process.memoryUsage.rss() - before)
      }, 50)
      exported.push(await exportSeconds(format))
      clearInterval(timer)
      memory.push(await fromMemory(format, join(folder, format)))
      process.stdout.write(`       exports took ${shown(exported)} s, from memory ${shown(memory)} s\n`)
    }
    printRatio({
      name: `export of ${count} tasks as ${format}, from memory`,
      measured: mean(exported),
      base: mean(memory),
      unit: "s",
      atMost: 2,
    })
    process.stdout.write(
      `       resident memory grew by ${(grown / 1024 ** 2).toFixed(0)} MB (at most 150)\n`,
    )
  }
  const others = { path: ["/api/v3/tasks?limit=20", "/api/v3/hubs"], token, connections: 2 }
  const alone = await bench.load({ ...others, requests: 1_000 })
  await startExport("xlsx")
  const beside = await bench.load({ ...others, requests: Math.min(1_000, Math.ceil(taskCount / 300)) })
  const [last] = await bench.sql<{ status: string }[]>`
    select status from exports where organization_id = ${org.id} order by requested_time desc limit 1`
  if (last?.status !== "Processing")
    throw new Error("the export was over before the requests: export more tasks")
  printRatio({
    name: "99th percentile of others beside an export, alone",
    measured: beside.p99Milliseconds,
    base: alone.p99Milliseconds,
    unit: "ms",
    atMost: 3,
  })
  printRatio({
    name: "median of others beside an export, alone",
    measured: beside.p50Milliseconds,
    base: alone.p50Milliseconds,
    unit: "ms",
    atMost: 3,
  })
} finally {
  await bench.close()
  await rm(folder, { recursive: true, force: true })
}

function shown(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(", ")
}
