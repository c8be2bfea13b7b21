import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { millisecondsPerMinute, minutesPerDay } from "./calendar.ts"
import { recurrenceOf } from "./recurrence.ts"
import { listRuns, nextRun } from "./runs.ts"
import { activeWindow, type Schedule } from "./schedule.ts"
import { libraryRules, temporalInstant } from "./testing/oracle.ts"
import { randomSchedule } from "./testing/random-schedules.ts"

// The library needs about two milliseconds a schedule.
const ruleCount = process.env.FIELDWAY_LONG === "1" ? 20_000 : 1_000
const compared = 40

const datedInGap: Schedule = {
  periode: "byDate",
  frequency: null,
  interval: null,
  startTime: "2024-02-20",
  endTime: "2024-03-14",
  schedules: [{ date: "2024-03-10", time: ["02:30", "23:59"] }],
  timeZone: "America/New_York",
}

test(`${ruleCount} random schedules run exactly when an independent RFC 5545 library says`, () => {
  fc.assert(
    fc.property(randomSchedule, fc.double({ min: 0, max: 1, noNaN: true }), (schedule, position) => {
      // Four islands once left out a whole day. Where a rule starts on such a day, the library starts another day.
      fc.pre(dayExists(schedule.startTime, schedule.timeZone))
      const from = wallMinuteInside(schedule, position)
      const expected = expectedRuns(schedule, from)
      const recurrence = recurrenceOf(schedule)
      const after = temporalInstant(from, schedule.timeZone).at - 1
      const runs = listRuns(recurrence, { after, limit: compared })
      assert.deepEqual(
        runs.map(toText),
        expected.slice(0, compared).map(({ at }) => toText(at)),
      )
      // And from an instant between two runs, which need not be a wall minute of the schedule.
      const [first, second] = runs
      if (first !== undefined && second !== undefined) {
        assert.equal(nextRun(recurrence, Math.floor((first + second) / 2)), second)
      }
      if (schedule.timeZone !== "UTC") {
        const gapRuns = new Set(expected.filter(({ inGap }) => inGap).map(({ at }) => at))
        const inZone = runsInZone(schedule, after, runs.at(-1) ?? after)
        // The library leaves out wall times that clocks skip; the engine moves them to the end of the gap.
        assert.deepEqual(
          inZone.filter((at) => !gapRuns.has(at)).map(toText),
          runs.filter((at) => !gapRuns.has(at)).map(toText),
        )
      }
    }),
    {
      numRuns: ruleCount,
      // Found by an earlier run: a listed date whose time lies in a gap.
      examples: [[datedInGap, 0]],
    },
  )
})

function dayExists(day: string, timeZone: string): boolean {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toPlainDate().toString() === day
}

/** A wall minute in the window, or at its very start. */
function wallMinuteInside(schedule: Schedule, position: number): number {
  const window = windowOf(schedule)
  const length = window.lastMinute - window.firstMinute
  return window.firstMinute + Math.floor(length * Math.max(0, position * 1.2 - 0.2))
}

/** At least the next `compared` runs from a wall minute on: wall times by the library, instants by Temporal. */
function expectedRuns(schedule: Schedule, from: number): { at: number; inGap: boolean }[] {
  const window = windowOf(schedule)
  const wallMinutes = new Set<number>()
  for (const rule of libraryRules(schedule, "UTC")) {
    // Begins a day earlier, because a wall time in a gap runs later than it says; a rule has one time a day.
    let wall = (from - minutesPerDay) * millisecondsPerMinute - 1
    for (let count = 0; count < compared + 2; count++) {
      const next = rule.next(new Date(wall))
      if (!next) break
      wall = next.epochMilliseconds
      const wallMinute = wall / millisecondsPerMinute
      if (schedule.periode === "byDate" || wallMinute >= window.firstMinute) wallMinutes.add(wallMinute)
    }
  }
  const start = temporalInstant(from, schedule.timeZone).at
  const runs = new Map<number, boolean>()
  for (const wallMinute of wallMinutes) {
    const { at, inGap } = temporalInstant(wallMinute, schedule.timeZone)
    if (at >= start) runs.set(at, inGap && (runs.get(at) ?? true))
  }
  return [...runs].map(([at, inGap]) => ({ at, inGap })).sort((a, b) => a.at - b.at)
}

/** The library's own result in the schedule's zone, later than `after` and up to `until`. */
function runsInZone(schedule: Schedule, after: number, until: number): number[] {
  const window = windowOf(schedule)
  const start =
    schedule.periode === "byDate"
      ? after
      : Math.max(after, temporalInstant(window.firstMinute, schedule.timeZone).at - 1)
  const runs = new Set<number>()
  for (const rule of libraryRules(schedule, schedule.timeZone)) {
    for (const run of rule.between(new Date(start + 1), new Date(until), true))
      runs.add(run.epochMilliseconds)
  }
  return [...runs].sort((a, b) => a - b)
}

function windowOf(schedule: Schedule) {
  const window = activeWindow(schedule.startTime, schedule.endTime)
  if (!window) throw new Error("not an accepted schedule")
  return window
}

function toText(at: number): string {
  return new Date(at).toISOString()
}
