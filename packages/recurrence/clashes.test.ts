import assert from "node:assert/strict"
import { test } from "node:test"
import { findClashes } from "./clashes.ts"
import { runExceptions } from "./exceptions.ts"
import { parseSchedule } from "./parse.ts"
import { recurrenceOf } from "./recurrence.ts"
import { listRuns } from "./runs.ts"

function daily(time: string[], timeZone = "UTC") {
  const body = {
    periode: "daily",
    startTime: "2027-03-27",
    endTime: "2027-03-29",
    schedules: [{ time }],
    timeZone,
  }
  const parsed = parseSchedule(body)
  assert.ok(parsed.ok)
  return recurrenceOf(parsed.schedule)
}

function clashesOf(rule: ReturnType<typeof daily>, others: Parameters<typeof findClashes>[2]) {
  return findClashes(rule, listRuns(rule, { limit: 100 }), others).map(({ at, ...rest }) => ({
    at: new Date(at).toISOString().slice(0, 16),
    ...rest,
  }))
}

test("schedules clash where they run at the same instant, whatever their time zones", () => {
  const others = [
    { id: "jakarta", recurrence: daily(["13:00"], "Asia/Jakarta") },
    { id: "noon", recurrence: daily(["12:00"]) },
    {
      id: "early",
      recurrence: daily(["06:00"]),
      exceptions: runExceptions({ skippedDates: ["2027-03-28"] }),
    },
  ]
  assert.deepEqual(clashesOf(daily(["06:00", "18:00"]), others), [
    { at: "2027-03-27T06:00", scheduleIds: ["jakarta", "early"], mergedTimes: [] },
    { at: "2027-03-28T06:00", scheduleIds: ["jakarta"], mergedTimes: [] },
    { at: "2027-03-29T06:00", scheduleIds: ["jakarta", "early"], mergedTimes: [] },
  ])
})

test("times of one schedule that a clock change makes equal are reported", () => {
  assert.deepEqual(clashesOf(daily(["01:50", "02:10", "02:40", "03:00", "03:10"], "Europe/Berlin"), []), [
    {
      at: "2027-03-28T01:00",
      scheduleIds: [],
      mergedTimes: ["2027-03-28 02:10", "2027-03-28 02:40", "2027-03-28 03:00"],
    },
  ])
})

test("two merged times are enough, in the schedule's own window, beside other schedules or not", () => {
  const parsed = parseSchedule({
    periode: "daily",
    startTime: "2027-03-28 02:10",
    endTime: "2027-03-28 02:40",
    schedules: [{ time: ["02:00", "02:10", "02:40", "02:50"] }],
    timeZone: "Europe/Berlin",
  })
  assert.ok(parsed.ok)
  const rule = recurrenceOf(parsed.schedule)
  const clash = { at: "2027-03-28T01:00", mergedTimes: ["2027-03-28 02:10", "2027-03-28 02:40"] }
  assert.deepEqual(clashesOf(rule, []), [{ ...clash, scheduleIds: [] }])
  const other = { id: "other", recurrence: daily(["01:00"]) }
  assert.deepEqual(clashesOf(rule, [other]), [{ ...clash, scheduleIds: ["other"] }])
})

test("a day without runs merges nothing with the day before", () => {
  // Clocks in Nuuk go forward at the end of 27 March: 23:30 is midnight then, which the schedule has every second day.
  const parsed = parseSchedule({
    periode: "custom",
    frequency: "daily",
    interval: 2,
    startTime: "2027-03-27 12:00",
    endTime: "2027-03-30",
    schedules: [{ time: ["00:00", "23:30"] }],
    timeZone: "America/Nuuk",
  })
  assert.ok(parsed.ok)
  assert.deepEqual(clashesOf(recurrenceOf(parsed.schedule), []), [])
})

test("schedules without common instants do not clash", () => {
  assert.deepEqual(clashesOf(daily(["06:00"]), [{ id: "other", recurrence: daily(["06:01"]) }]), [])
})
