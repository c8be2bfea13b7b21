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

/** Each day is a test of its own: together they take longer than one test may. */
const orders = isLong
  ? Array.from({ length: 30 }, (_, day) => ({ seed: `${seed}.${day}`, hours: 24 }))
  : [{ seed, hours: 1 }]

for (const order of orders)
  test(`a simulated ${isLong ? "day" : "hour"} of a company's work, seed ${order.seed}: what is acknowledged is there, once, for those who may see it`, async (t) => {
    const { failure, log, operations, faults, checks } = await simulate(order)
    assert.equal(failure, undefined, `${failure?.message}\n${log.slice(-10).join("\n")}`)
    assert.ok(operations > 50 && checks > 20, `${operations} operations, ${checks} checks`)
    t.diagnostic(`seed ${order.seed}: ${operations} operations, ${faults} faults, ${checks} checks`)
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
