import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { bugs } from "./bugs.ts"
import { deliveryDay } from "./delivery-day/day.ts"
import { linesOf } from "./delivery-day/report.ts"
import { simulate } from "./run.ts"

const isLong = Boolean(process.env.FIELDWAY_LONG)
const seed = process.env.SIMULATION_SEED ?? "1"

test(`a simulated ${isLong ? "month" : "hour"} of a company's work: what is acknowledged is there, once, for those who may see it`, async (t) => {
  for (let day = 0; day < (isLong ? 30 : 1); day += 1) {
    const outcome = await simulate({ seed: isLong ? `${seed}.${day}` : seed, hours: isLong ? 24 : 1 })
    const { failure, log, operations, faults, checks } = outcome
    assert.equal(failure, undefined, `${failure?.message}\n${log.slice(-10).join("\n")}`)
    assert.ok(operations > 50 && checks > 20, `${operations} operations, ${checks} checks`)
    t.diagnostic(`seed ${seed}.${day}: ${operations} operations, ${faults} faults, ${checks} checks`)
  }
})

test("a day of deliveries adapts to orders, cancellations and breakdowns, and each visit is made or named", {
  skip: !isLong,
}, async (t) => {
  const size = { visits: 120, vehicles: 10, newOrders: 12, cancellations: 4, breakdowns: 1, reserve: 60 }
  const report = await deliveryDay({ seed, ...size, map: undefined })
  for (const line of linesOf(report)) t.diagnostic(line)
  assert.equal(report.visited + report.dropped, 128)
  assert.ok(report.dropped <= 6 && report.changes.maxPerOrder <= 2, JSON.stringify(report))
  assert.ok(report.kilometers < 1.3 * report.perfectKilometers, JSON.stringify(report))
})

test("each bug that can be planted fits its file", () => {
  assert.equal(new Set(bugs.map(({ name }) => name)).size, 50)
  for (const { name, file, text, instead } of bugs) {
    const source = readFileSync(join(import.meta.dirname, "../../..", file), "utf8")
    assert.equal(source.split(text).length, 2, `${name} in ${file}`)
    assert.notEqual(text, instead)
  }
})
