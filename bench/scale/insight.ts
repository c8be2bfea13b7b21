/*
 * Moments of a day with many vehicles, and reports of a year: server time of each request. The days: 20 tasks of each person with
 * four or five changes each; positions every two minutes for ten hours on the newest and the oldest day. The year: rollups as
 * 5,000,000 tasks of these people leave them, by hour.
 * Run: node bench/scale/insight.ts [people] [tasks of the year] [requests of a kind] [days with tasks]
 * With DATA_DIR, the data set is kept there for further runs.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readConfig } from "#core/config.ts"
import { createTelemetry } from "#core/telemetry/telemetry.ts"
import { reportDimensions } from "#shared/report-metrics.ts"
import { median, startBench } from "../load/harness.ts"
import { insightData } from "./insight-data.ts"

const [people = 1_000, tasksOfYear = 5_000_000, requests = 40, historyDays = 1] = process.argv
  .slice(2)
  .map(Number)
const kept = process.env.DATA_DIR
const folder = kept ?? (await mkdtemp(join(tmpdir(), "fieldway-bench-")))
const environment = { DATA_DIR: folder, LOG_LEVEL: "error" }
const bench = await startBench(environment)
const single = [
  "metrics=finished,onTimeRate,late,firstAttemptRate&groupBy=day",
  "metrics=finished,onTimeRate&groupBy=month&compareTo=previousYear",
  "metrics=finished,stops,tasksPerHour&groupBy=person&limit=1000",
  "metrics=finished,done,failed,late,stops,serviceMinutes,ratings&groupBy=person&limit=1000",
  "metrics=attendedHours,travelHours,idleHours&groupBy=person&limit=1000",
  "metrics=finished,onTimeRate&groupBy=day&person=p7@example.com",
  "metrics=failures,failureRate,finished&groupBy=reason",
  "metrics=late,lateMinutes&groupBy=lateReason",
  "metrics=finished,onTimeRate&groupBy=outcome",
  "metrics=finished,onTimeRate&groupBy=hub",
  "metrics=finished,onTimeRate&groupBy=hour",
  "metrics=finished,onTimeRate&groupBy=weekday",
  "metrics=finished,serviceMinutes&groupBy=flow",
  "metrics=attendedHours,sessions&groupBy=vehicle",
  "metrics=planned,finished,completionRate&groupBy=month",
]
const dimensions = reportDimensions.filter((dimension) => dimension !== "vehicle")
const pairs = dimensions.flatMap((one, index) =>
  dimensions
    .slice(index + 1)
    .map((other) => `metrics=finished,onTimeRate,serviceMinutes&groupBy=${one},${other}`),
)
try {
  const { sql } = bench
  const config = readConfig(environment)
  const log = createTelemetry(config, "bench").log
  const data = await insightData(config, log, { people, tasksOfYear, historyDays })
  const year = `from=${Temporal.PlainDate.from(data.day).subtract({ years: 1 }).add({ days: 1 })}&until=${data.day}`
  const [counts] = await sql<
    { rows: number; tasks: number; parts: number; points: number; listed: number }[]
  >`
    select (select count(*) from rollups) as rows, (select sum(tasks) from rollups where grain = 'hourHub' and facet = 'finished') as tasks,
      (select count(*) from tasks) as listed, (select count(*) from audit_parts) as parts, (select count(*) from location_points) as points`
  print(
    `${people} people; ${counts?.listed} tasks with ${counts?.parts} changes and ${counts?.points} positions; ${counts?.tasks} tasks of the year in ${counts?.rows} rows of rollups`,
  )
  const token = await bench.tokenOf(data.owner)
  print("| Request | least ms | median ms | p95 ms | most ms |\n|---|---|---|---|---|")
  // The fields are those of the console's page.
  const minuteOf =
    (morning: string, fields = "&fields=title,status,assignee,lat,lon") =>
    () =>
      `/moment?time=${Temporal.Instant.from(morning).add({ minutes: Math.floor(Math.random() * 600) })}${fields}`
  await measure("a moment of the newest day", minuteOf(data.mornings.newest))
  await measure("the same with all fields of tasks", minuteOf(data.mornings.newest, ""))
  await measure(`a moment ${historyDays} days earlier`, minuteOf(data.mornings.oldest))
  const scrubbing = Array.from({ length: 4 }, () => timed(minuteOf(data.mornings.oldest), requests))
  row("the same, four people at once", (await Promise.all(scrubbing)).flat())
  // The first one is kept in memory. When the second or third one is earlier than all before, it reads the rest of the day.
  const others = Array.from({ length: historyDays - 2 }, (_, back) =>
    minuteOf(String(Temporal.Instant.from(data.mornings.oldest).add({ hours: 24 * (back + 1) }))),
  )
  const times: Record<string, number[]> = { first: [], second: [], third: [] }
  for (const path of others) for (const name of Object.keys(times)) times[name]?.push(await timedOnce(path()))
  if (others.length > 0)
    for (const name of Object.keys(times)) row(`the ${name} moment of a day`, times[name] ?? [])
  for (const [name, reports] of Object.entries({ single, pairs })) {
    const all: number[] = []
    for (const report of reports)
      all.push(...(await measure(`a year, ${report}`, () => `/reports/figures?${report}&${year}`)))
    row(`all reports of the year, ${name}`, all)
  }

  async function measure(name: string, path: () => string): Promise<number[]> {
    try {
      const times = await timed(path, requests)
      row(name, times)
      return times
    } catch (error) {
      print(`| ${name} | ${error instanceof Error ? error.message : error} | | | |`)
      return []
    }
  }

  async function timed(path: () => string, count: number): Promise<number[]> {
    const times: number[] = []
    // The first ones open connections and plan statements.
    for (let index = -2; index < count; index += 1) {
      const time = await timedOnce(path())
      if (index >= 0) times.push(time)
    }
    return times
  }

  async function timedOnce(path: string): Promise<number> {
    const started = performance.now()
    const response = await fetch(`${bench.address}/api/v3${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text.slice(0, 200))
    return performance.now() - started
  }
} finally {
  await bench.close()
  if (kept === undefined) await rm(folder, { recursive: true, force: true })
}

function row(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
  const cells = [sorted[0] ?? 0, median([...times]), p95, sorted.at(-1) ?? 0].map((value) => value.toFixed(0))
  print(`| ${name} | ${cells.join(" | ")} |`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
