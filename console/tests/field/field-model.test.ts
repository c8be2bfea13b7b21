import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage } from "../stage.ts"
import { runSchedules } from "./random-schedules.ts"

/**
 * Random schedules of work and faults on a phone that two people share: outages, lost responses, killed pages, changed
 * clocks, ended sessions, a full disk. A model beside it knows who finished what and when; at the end the server has all
 * of it, once. `FIELD_SEED=7 FIELDWAY_SCHEDULES=1` repeats one schedule; `FIELDWAY_LONG` runs many.
 */
const seed = Number(process.env.FIELD_SEED ?? 1)
const scheduleCount = Number(process.env.FIELDWAY_SCHEDULES ?? (process.env.FIELDWAY_LONG ? 10_000 : 10))
/** Some minutes of the hour that a test of `npm run test:long` may take. */
const schedulesPerTest = 100

const stage = await openStage()

for (let start = 0; start < scheduleCount; start += schedulesPerTest) {
  const end = Math.min(start + schedulesPerTest, scheduleCount)
  const seeds = `from seed ${seed + start}`
  test(`${end - start} random schedules of faults lose nothing and repeat nothing, ${seeds}`, async (t) => {
    const failures = await runSchedules(stage, seed, { start, end })
    // The whole story at once: the summary comes hours later.
    for (const failure of failures) t.diagnostic(String(failure))
    assert.equal(failures.length, 0)
  })
}
