import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { calendarDate, dayNumber, formatDate, parseDate, weekdayOf } from "./calendar.ts"
import { runExceptions } from "./exceptions.ts"
import { parseSchedule } from "./parse.ts"
import { type Recurrence, recurrenceOf } from "./recurrence.ts"
import { countRuns, lastRun, listRuns, nextRun, previousRun, runsAt, runsOnDay } from "./runs.ts"
import { randomSchedule } from "./testing/random-schedules.ts"

const all = { limit: 10_000 }

function recurrence(body: Record<string, unknown>): Recurrence {
  const parsed = parseSchedule({ periode: "daily", ...body })
  if (!parsed.ok) throw new assert.AssertionError({ message: JSON.stringify(parsed.problems) })
  return recurrenceOf(parsed.schedule)
}

function texts(runs: readonly number[]): string[] {
  return runs.map((at) => new Date(at).toISOString().slice(0, 16))
}

const march = { startTime: "2027-03-27", endTime: "2027-03-29", timeZone: "Europe/Berlin" }

test("a local time keeps its place on the wall when clocks change", () => {
  const spring = recurrence({ ...march, schedules: [{ time: "06:00" }] })
  assert.deepEqual(texts(listRuns(spring, all)), ["2027-03-27T05:00", "2027-03-28T04:00", "2027-03-29T04:00"])
})

test("a time that clocks skip runs at the first valid minute, once", () => {
  const spring = recurrence({ ...march, schedules: [{ time: ["02:10", "02:40", "03:00"] }] })
  assert.deepEqual(texts(listRuns(spring, { ...all, after: Date.parse("2027-03-27T12:00Z") })), [
    "2027-03-28T01:00",
    "2027-03-29T00:10",
    "2027-03-29T00:40",
    "2027-03-29T01:00",
  ])
})

test("a time that occurs twice runs at the first pass, also when asked during the second", () => {
  const autumn = recurrence({
    startTime: "2027-10-31",
    endTime: "2027-11-01",
    timeZone: "Europe/Berlin",
    schedules: [{ time: ["02:15", "02:45", "03:00"] }],
  })
  assert.deepEqual(texts(listRuns(autumn, all)), [
    "2027-10-31T00:15",
    "2027-10-31T00:45",
    "2027-10-31T02:00",
    "2027-11-01T01:15",
    "2027-11-01T01:45",
    "2027-11-01T02:00",
  ])
  const secondPass = Date.parse("2027-10-31T01:20Z")
  assert.equal(nextRun(autumn, secondPass), Date.parse("2027-10-31T02:00Z"))
  assert.equal(previousRun(autumn, secondPass), Date.parse("2027-10-31T00:45Z"))
})

test("the window is read on the wall clock of the time zone", () => {
  const auckland = recurrence({
    startTime: "2027-05-01 00:30",
    endTime: "2027-05-02",
    timeZone: "Pacific/Auckland",
    schedules: [{ time: ["00:15", "23:59"] }],
  })
  assert.deepEqual(texts(listRuns(auckland, all)), [
    "2027-05-01T11:59",
    "2027-05-01T12:15",
    "2027-05-02T11:59",
  ])
})

test("29 February comes only in leap years, whatever the interval", () => {
  const leap = recurrence({
    periode: "custom",
    frequency: "monthly",
    interval: 12,
    startTime: "2027-02-01",
    endTime: "2041-01-01",
    schedules: [{ date: "29", time: "05:00" }],
  })
  assert.deepEqual(texts(listRuns(leap, all)), [
    "2028-02-29T05:00",
    "2032-02-29T05:00",
    "2036-02-29T05:00",
    "2040-02-29T05:00",
  ])
})

test("a rule whose date never comes has no run and says so at once", () => {
  const never = recurrence({
    periode: "custom",
    frequency: "monthly",
    interval: 12,
    startTime: "1900-02-01",
    endTime: "9999-12-31",
    schedules: [{ date: "30", time: "05:00" }],
  })
  assert.equal(nextRun(never, 0), undefined)
  assert.equal(lastRun(never), undefined)
  assert.deepEqual(listRuns(never, all), [])
})

const twiceDaily = {
  startTime: "2027-05-01",
  endTime: "2027-05-04",
  timeZone: "Asia/Jakarta",
  schedules: [{ time: ["03:00", "20:00"] }],
}

test("a skipped date is a date of the schedule's time zone and takes all its runs away", () => {
  const exceptions = runExceptions({ skippedDates: ["2027-05-02", "2027-05-03"] })
  assert.deepEqual(texts(listRuns(recurrence(twiceDaily), all, exceptions)), [
    "2027-04-30T20:00",
    "2027-05-01T13:00",
    "2027-05-03T20:00",
    "2027-05-04T13:00",
  ])
})

test("nothing runs during a pause, and nothing is made up for after it", () => {
  const paused = runExceptions({
    pauses: [{ from: Date.parse("2027-05-01T13:00Z"), until: Date.parse("2027-05-02T20:00Z") }],
  })
  assert.deepEqual(texts(listRuns(recurrence(twiceDaily), all, paused)), [
    "2027-04-30T20:00",
    "2027-05-02T20:00",
    "2027-05-03T13:00",
    "2027-05-03T20:00",
    "2027-05-04T13:00",
  ])
  const stopped = runExceptions({ pauses: [{ from: Date.parse("2027-05-02T00:00Z"), until: null }] })
  const runs = listRuns(recurrence(twiceDaily), all, stopped)
  assert.deepEqual(texts(runs), ["2027-04-30T20:00", "2027-05-01T13:00", "2027-05-01T20:00"])
  assert.equal(lastRun(recurrence(twiceDaily), stopped), runs.at(-1))
})

test("the runs of a day are those of its wall clock, a run moved past midnight included", () => {
  const day = (text: string) => {
    const number = parseDate(text)
    assert.ok(number !== undefined)
    return number
  }
  assert.deepEqual(texts(runsOnDay(recurrence(twiceDaily), day("2027-05-01"))), [
    "2027-04-30T20:00",
    "2027-05-01T13:00",
  ])
  assert.deepEqual(runsOnDay(recurrence(twiceDaily), day("2027-05-05")), [])
  const nuuk = recurrence({
    startTime: "2027-03-27",
    endTime: "2027-03-27",
    timeZone: "America/Nuuk",
    schedules: [{ time: "23:30" }],
  })
  assert.deepEqual(texts(runsOnDay(nuuk, day("2027-03-27"))), ["2027-03-28T01:00"])
})

test("a day that the schedule leaves out has no runs", () => {
  const everySecond = recurrence({
    ...{ periode: "custom", frequency: "daily", interval: 2 },
    startTime: "2027-05-01 06:00",
    endTime: "2027-05-07 18:00",
    schedules: [{ time: ["05:59", "06:00", "18:00", "18:01"] }],
  })
  const runsOf = (date: string) =>
    texts(runsOnDay(everySecond, parseDate(date) ?? 0)).map((text) => text.slice(8))
  assert.deepEqual(runsOf("2027-05-01"), ["01T06:00", "01T18:00", "01T18:01"])
  assert.deepEqual(runsOf("2027-05-02"), [])
  assert.deepEqual(runsOf("2027-05-03"), ["03T05:59", "03T06:00", "03T18:00", "03T18:01"])
  assert.deepEqual(runsOf("2027-05-07"), ["07T05:59", "07T06:00", "07T18:00"])
})

test("a span excludes its beginning and includes its end", () => {
  const [first, second, third] = listRuns(recurrence(twiceDaily), all)
  assert.ok(first !== undefined && second !== undefined && third !== undefined)
  const span = { after: first, until: third, limit: 10 }
  assert.deepEqual(listRuns(recurrence(twiceDaily), span), [second, third])
  assert.equal(countRuns(recurrence(twiceDaily), span), 2)
  assert.equal(countRuns(recurrence(twiceDaily), { ...span, limit: 1 }), 1)
})

test("forward, backward, listing and counting find the same runs of any schedule", () => {
  fc.assert(
    fc.property(randomSchedule, fc.integer({ min: 0, max: 30 }), (schedule, skipIndex) => {
      const rule = recurrenceOf(schedule)
      const everything = listRuns(rule, { limit: 50 })
      const skippedDay = everything[skipIndex]
      const skippedDates =
        skippedDay === undefined ? [] : [formatDate(Math.floor(rule.clock.toWallMinute(skippedDay) / 1440))]
      const exceptions = runExceptions({ skippedDates })
      const runs = listRuns(rule, { limit: 40 }, exceptions)
      for (const [index, run] of runs.entries()) {
        assert.ok(runsAt(rule, run, exceptions))
        assert.equal(runsAt(rule, run + 1, exceptions), false)
        assert.equal(previousRun(rule, run + 1, exceptions), run)
        assert.equal(previousRun(rule, run, exceptions), runs[index - 1])
      }
      assert.equal(countRuns(rule, { limit: 40 }, exceptions), runs.length)
      if (runs.length < 40) assert.equal(lastRun(rule, exceptions), runs.at(-1))
    }),
    { numRuns: 500 },
  )
})

test("day numbers, dates and weekdays agree with Temporal from 1900 to 9999", () => {
  const days = fc.integer({ min: dayNumber(1900, 1, 1), max: dayNumber(9999, 12, 31) })
  fc.assert(
    fc.property(days, (day) => {
      const date = Temporal.PlainDate.from("1970-01-01").add({ days: day })
      assert.equal(formatDate(day), date.toString())
      assert.equal(parseDate(date.toString()), day)
      assert.equal(weekdayOf(day), date.dayOfWeek - 1)
      assert.deepEqual(calendarDate(day), { year: date.year, month: date.month, date: date.day })
    }),
    { numRuns: 2000 },
  )
})
