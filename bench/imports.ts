/*
 * Imports against reading the same file and throwing the rows away, against a bare multi-row insert, and beside
 * another tenant's. The import's time runs from the first byte of the upload to its final status; worker, server
 * and database share this machine with the measurement.
 * Run: node --expose-gc bench/imports.ts [rows] [rows of the huge import] [part of: data, xlsx, tasks, beside, huge]
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { finished } from "node:stream/promises"
import type { Pool } from "#core/database/database.ts"
import { openSheet } from "#packages/spreadsheets/open-sheet.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { aFlow, aHub, anOrganization } from "#samples/builders.ts"
import { type Bench, mean, median, printRatio, startBench } from "./load/harness.ts"
import type { UploadOrder } from "./load/send-upload.ts"

const rowCount = Number(process.argv[2] ?? 100_000)
const hugeCount = Number(process.argv[3] ?? 1_000_000)
const only = process.argv[4] ?? ""
const smallCount = 1_000
const rounds = 3

const fields = [
  { id: "dataId", title: "Code", type: "primaryKey", primaryKey: true, required: true },
  { id: "name", title: "Name", type: "text", required: true },
  { id: "crates", title: "Crates", type: "number" },
  { id: "grade", title: "Grade", type: "option", optionData: ["gold", "silver"] },
  { id: "opensAt", title: "Opens At", type: "time" },
  { id: "endsOn", title: "Ends On", type: "date" },
  { id: "active", title: "Active", type: "boolean" },
  { id: "spot", title: "Spot", type: "geolocation" },
  { id: "phone", title: "Phone", type: "phoneNumber" },
  { id: "audit", title: "Audit", type: "dateTime" },
]

function* csvLines(count: number): Generator<string> {
  yield `${fields.map(({ title }) => title).join(",")}\n`
  for (let row = 0; row < count; row++) {
    const spot = `"${(51 + (row % 1000) / 7919).toFixed(5)},${(-2 - (row % 777) / 6133).toFixed(5)}"`
    const time = `${String(row % 24).padStart(2, "0")}:30`
    yield `K-${row},Depot number ${row},${row % 97},${row % 2 ? "gold" : "silver"},${time},2031-05-04,${row % 3 === 0},${spot},+44 117 496 0111,2031-05-04 ${time}:00\n`
  }
}

async function readAndDiscard(path: string): Promise<number> {
  const start = performance.now()
  const sheet = await openSheet(path)
  for await (const _ of sheet.rows());
  await sheet.close()
  return (performance.now() - start) / 1000
}

interface Tenant {
  token: string
  parts: Record<string, string>
}

async function aTenant(bench: Bench, kind: "data" | "task"): Promise<Tenant> {
  const { sql } = bench
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const token = await bench.tokenOf(org.owner)
  if (kind === "task") {
    const components = fields.map(({ id, title }, index) => ({
      ...{ id, title, component: "input", type: index === 7 ? "Geolocation" : "String" },
      ...(index === 0 ? { showAs: "title", required: true } : {}),
    }))
    const flow = await aFlow(sql, { org, pages: [{ id: "page0", components }] })
    return { token, parts: { type: "task", flowId: flow.id, hubId: hub.id } }
  }
  const reply = await fetch(`${bench.address}/api/v3/data-type`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: `Depot${hub.id}`, fields, commonData: false, limitUser: false }),
  })
  const { data_type: type } = (await reply.json()) as { data_type: { _id: string } }
  return { token, parts: { dataTypeId: type._id, hubId: hub.id } }
}

async function writeCsv(count: number): Promise<string> {
  const path = join(folder, `${count}.csv`)
  await writeFile(path, csvLines(count))
  return path
}

async function writeWorkbook(count: number): Promise<string> {
  const path = join(folder, `${count}.xlsx`)
  const out = createWriteStream(path)
  const lines = csvLines(count)
  lines.next()
  const rows = lines.map((line) =>
    [...line.trim().matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
  )
  await writeXlsx(out, [{ name: "Depots", columns: fields.map(({ title }) => ({ title })), rows }])
  out.end()
  await finished(out)
  return path
}

/** A sender that is ready, so that its start is no part of what is measured. */
async function aSender(): Promise<(bench: Bench, tenant: Tenant, path: string) => Promise<string>> {
  const child = fork(new URL("./load/send-upload.ts", import.meta.url), { execArgv: [] })
  await once(child, "message")
  return async (bench, { token, parts }, path) => {
    const order: UploadOrder = { address: bench.address, token, parts, path, filename: basename(path) }
    child.send(order)
    const [reply] = (await once(child, "message")) as [{ id?: string; response?: string }]
    if (reply.id === undefined) throw new Error(reply.response)
    return reply.id
  }
}

/** Seconds until an import has its final status; throws unless every row went in. */
async function importSeconds(bench: Bench, tenant: Tenant, path: string): Promise<number> {
  // Filling the search with what was imported before is work of its own, which takes a processor for as long.
  await bench.sql`delete from data_search_notes`
  const send = await aSender()
  const start = performance.now()
  const id = await send(bench, tenant, path)
  for (;;) {
    const [row] = await bench.sql<{ status: string }[]>`select status from imports where id = ${id}`
    if (row?.status === "success") return (performance.now() - start) / 1000
    if (row?.status !== "onprocess") throw new Error(`the import ended as ${row?.status}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** The highest growth of resident memory while `work` runs, in MB. */
async function memoryGrowth<T>(work: () => Promise<T>): Promise<{ result: T; grownMegabytes: number }> {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, 50)
  const result = await work()
  clearInterval(timer)
  return { result, grownMegabytes: (highest - before) / 1024 ** 2 }
}

/** The same rows as the task import writes, by nothing but insert statements of a thousand rows. */
async function bareInsertSeconds(sql: Pool, count: number): Promise<number> {
  const org = await anOrganization(sql)
  const hub = await aHub(sql, { org })
  const flow = await aFlow(sql, { org })
  const start = performance.now()
  for (let from = 0; from < count; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - from) }, (_, index) => {
      const n = from + index
      const values = Object.fromEntries(fields.map(({ id }) => [id, `${id} ${n}`]))
      return {
        organization_id: org.id,
        id: n.toString(16).padStart(24, "0"),
        hub_id: hub.id,
        flow_id: flow.id,
        flow: flow.name,
        status: "UNASSIGNED",
        title: `K-${n}`,
        start_time: "2031-05-04T00:00:00Z",
        end_time: "2031-05-05T00:00:00Z",
        created_time: "2031-05-04T00:00:00Z",
        updated_time: "2031-05-04T00:00:00Z",
        created_from: "API",
        order_index: n,
        values: JSON.stringify(values),
        attributes: "{}",
      }
    })
    await sql`insert into tasks ${sql(rows)}`
  }
  return (performance.now() - start) / 1000
}

const folder = await mkdtemp(join(tmpdir(), "fieldway-bench-"))
const bench = await startBench()
try {
  await importSeconds(bench, await aTenant(bench, "data"), await writeCsv(5_000))
  if ("data xlsx huge".includes(only)) await dataImports()
  if ("tasks".includes(only)) await taskImports()
  if (hugeCount > 0 && "beside".includes(only)) await smallBesideHuge()
} finally {
  await bench.close()
  await rm(folder, { recursive: true, force: true })
}

async function dataImports(): Promise<void> {
  const path = await writeCsv(rowCount)
  const seconds = await importAgainstReading(path, "CSV")
  if (only === "" || only === "xlsx") await importAgainstReading(await writeWorkbook(rowCount), "XLSX")
  if (hugeCount === 0 || only === "data" || only === "xlsx") return
  const tenant = await aTenant(bench, "data")
  const hugePath = await writeCsv(hugeCount)
  const huge = await memoryGrowth(() => importSeconds(bench, tenant, hugePath))
  // Some before and some after: a machine is not as fast in one minute as in another.
  for (let round = 0; round < rounds; round++)
    seconds.push(await importSeconds(bench, await aTenant(bench, "data"), path))
  process.stdout.write(`       ${rowCount} rows took ${shown(seconds)} s\n`)
  printRatio({
    name: `import of ${hugeCount} rows, of ${rowCount}`,
    measured: huge.result,
    base: mean(seconds),
    unit: "s",
    atMost: (hugeCount / rowCount) * 1.1,
  })
  process.stdout.write(`       resident memory grew by ${huge.grownMegabytes.toFixed(0)} MB (at most 150)\n`)
}

/** Reads and imports a file by turns; returns the seconds of the imports. */
async function importAgainstReading(path: string, format: string): Promise<number[]> {
  await readAndDiscard(path)
  const reads: number[] = []
  const imports: number[] = []
  let grownMegabytes = 0
  for (let round = 0; round < rounds; round++) {
    reads.push(await readAndDiscard(path))
    const tenant = await aTenant(bench, "data")
    const data = await memoryGrowth(() => importSeconds(bench, tenant, path))
    imports.push(data.result)
    grownMegabytes = Math.max(grownMegabytes, data.grownMegabytes)
  }
  reads.push(await readAndDiscard(path))
  process.stdout.write(`       imports took ${shown(imports)} s, reading ${shown(reads)} s\n`)
  printRatio({
    name: `import of ${rowCount} rows of ${format} into a data type, reading them`,
    measured: mean(imports),
    base: mean(reads),
    unit: "s",
    atMost: 6,
  })
  process.stdout.write(`       resident memory grew by ${grownMegabytes.toFixed(0)} MB (at most 150)\n`)
  return imports
}

function shown(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(", ")
}

async function taskImports(): Promise<void> {
  const tasks = await importSeconds(bench, await aTenant(bench, "task"), await writeCsv(rowCount))
  const bare = await bareInsertSeconds(bench.sql, rowCount)
  printRatio({
    name: `task import, bare multi-row insert`,
    measured: rowCount / tasks,
    base: rowCount / bare,
    unit: "rows/s",
    atLeast: 0.3,
  })
}

async function smallBesideHuge(): Promise<void> {
  const small = await writeCsv(smallCount)
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < 5; round++)
    alone.push(await importSeconds(bench, await aTenant(bench, "data"), small))
  const send = await aSender()
  const hugeId = await send(bench, await aTenant(bench, "data"), await writeCsv(hugeCount))
  for (let round = 0; round < 5; round++)
    beside.push(await importSeconds(bench, await aTenant(bench, "data"), small))
  const [huge] = await bench.sql<{ status: string }[]>`select status from imports where id = ${hugeId}`
  if (huge?.status !== "onprocess") throw new Error("the huge import was over before the small ones")
  printRatio({
    name: `import of ${smallCount} rows beside one of ${hugeCount}, alone`,
    measured: median(beside),
    base: median(alone),
    unit: "s",
    atMost: 3,
  })
}
