import assert from "node:assert/strict"
import { test } from "node:test"
import { dueRuns } from "./due.ts"
import { runExceptions } from "./exceptions.ts"
import { parseSchedule } from "./parse.ts"
import { recurrenceOf } from "./recurrence.ts"

function hourly(endTime = "2027-05-03") {
  const time = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`)
  const parsed = parseSchedule({ periode: "daily", startTime: "2027-05-01", endTime, schedules: [{ time }] })
  assert.ok(parsed.ok)
  return recurrenceOf(parsed.schedule)
}

function at(text: string): number {
  return Date.parse(`2027-05-${text}Z`)
}

test("a run is due from its minute on, until it was made", () => {
  const rule = hourly()
  const before = dueRuns(rule, { after: at("01T07:00"), now: at("01T07:59:59") })
  assert.deepEqual(before, { due: [], skipped: null, next: at("01T08:00") })
  const onTime = dueRuns(rule, { after: at("01T07:00"), now: at("01T08:00:02") })
  assert.deepEqual(onTime, { due: [at("01T08:00")], skipped: null, next: at("01T09:00") })
  const made = dueRuns(rule, { after: at("01T08:00"), now: at("01T08:00:02") })
  assert.deepEqual(made, { due: [], skipped: null, next: at("01T09:00") })
})

test("a run that is 60 minutes late is still made, in order with the later ones", () => {
  const { due, skipped } = dueRuns(hourly(), { after: at("01T07:30"), now: at("01T09:00:00") })
  assert.deepEqual(due, [at("01T08:00"), at("01T09:00")])
  assert.equal(skipped, null)
})

test("a run that is more than 60 minutes late is skipped", () => {
  const { due, skipped } = dueRuns(hourly(), { after: at("01T05:30"), now: at("01T09:00:01") })
  assert.deepEqual(due, [at("01T09:00")])
  assert.deepEqual(skipped, { count: 3, first: at("01T06:00"), last: at("01T08:00") })
})

test("a single run that is too late is one skipped run", () => {
  const { skipped } = dueRuns(hourly(), { after: at("01T07:30"), now: at("01T09:00:01") })
  assert.deepEqual(skipped, { count: 1, first: at("01T08:00"), last: at("01T08:00") })
})

test("after the last run nothing is due and there is no next look", () => {
  assert.deepEqual(dueRuns(hourly("2027-05-01"), { after: at("01T23:00"), now: at("09T00:00") }), {
    due: [],
    skipped: null,
    next: null,
  })
})

test("skipped dates and pauses are owed nothing and are no skipped runs", () => {
  const exceptions = runExceptions({
    skippedDates: ["2027-05-02"],
    pauses: [{ from: at("01T10:00"), until: at("01T23:30") }],
  })
  assert.deepEqual(dueRuns(hourly(), { after: at("01T09:00"), now: at("03T00:00:05") }, exceptions), {
    due: [at("03T00:00")],
    skipped: null,
    next: at("03T01:00"),
  })
  const paused = runExceptions({ pauses: [{ from: at("01T10:00"), until: null }] })
  assert.deepEqual(dueRuns(hourly(), { after: at("01T09:00"), now: at("01T12:00") }, paused), {
    due: [],
    skipped: null,
    next: null,
  })
})

test("one run every minute after two months of downtime is settled in one response", () => {
  const time = Array.from({ length: 48 }, (_, index) => index)
  const schedules = Array.from({ length: 30 }, (_, half) => ({
    time: time.map((index) => {
      const minute = half * 48 + index
      return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`
    }),
  }))
  const parsed = parseSchedule({
    periode: "daily",
    startTime: "2027-01-01",
    endTime: "2027-12-31",
    schedules,
  })
  assert.ok(parsed.ok)
  const after = Date.parse("2027-03-01T00:00Z")
  const now = Date.parse("2027-05-01T00:00:30Z")
  const { due, skipped } = dueRuns(recurrenceOf(parsed.schedule), { after, now })
  assert.equal(due.length, 60)
  assert.equal(skipped?.count, 61 * 1440 - 60)
  assert.equal(skipped?.last, Date.parse("2027-04-30T23:00Z"))
})

test("a skipped date that does not exist is refused by name", () => {
  assert.throws(
    () => runExceptions({ skippedDates: ["2027-05-01", "2027-02-30"] }),
    /^RangeError: .*2027-02-30/,
  )
})
