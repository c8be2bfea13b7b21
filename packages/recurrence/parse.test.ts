import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { parseSchedule, parseSkipDate } from "./parse.ts"
import type { ScheduleProblem } from "./problems.ts"
import type { Schedule } from "./schedule.ts"
import { randomSchedule } from "./testing/random-schedules.ts"

const daily = {
  periode: "daily",
  startTime: "2027-03-30",
  endTime: "2027-04-01",
  schedules: [{ time: ["06:30"] }],
}
const weekly = { ...daily, periode: "weekly", schedules: [{ day: "monday", time: ["06:30"] }] }
const monthly = { ...daily, periode: "monthly", schedules: [{ date: "5", time: ["06:30"] }] }
const dated = { periode: "byDate", schedules: [{ date: "2027-11-26", time: ["04:00"] }] }
const custom = { ...daily, periode: "custom", frequency: "daily", interval: 2 }

function accepted(body: unknown): Schedule {
  const parsed = parseSchedule(body)
  if (!parsed.ok) throw new assert.AssertionError({ message: JSON.stringify(parsed.problems) })
  return parsed.schedule
}

function refused(body: unknown): readonly ScheduleProblem[] {
  const parsed = parseSchedule(body)
  assert.ok(!parsed.ok, `accepted ${JSON.stringify(body)}`)
  return parsed.problems
}

function without(body: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _, ...rest } = body
  return rest
}

const refusals: readonly [what: string, body: unknown, field: string, code: string][] = [
  ["no body", undefined, "periode", "sched-001"],
  ["a list as body", [], "periode", "sched-001"],
  ["no period", without(daily, "periode"), "periode", "sched-001"],
  ["an empty period", { ...daily, periode: "" }, "periode", "sched-001"],
  ["an unknown period", { ...daily, periode: "yearly" }, "periode", "sched-017"],
  ["a period in other letters", { ...daily, periode: "Daily" }, "periode", "sched-017"],
  ["no start", without(daily, "startTime"), "startTime", "sched-001"],
  ["no end", without(weekly, "endTime"), "endTime", "sched-001"],
  ["a start of null", { ...monthly, startTime: null }, "startTime", "sched-001"],
  ["an open end for custom", without(custom, "endTime"), "endTime", "sched-001"],
  ["no frequency for custom", without(custom, "frequency"), "frequency", "sched-001"],
  ["no interval for custom", { ...custom, interval: null }, "interval", "sched-001"],
  ["an unknown frequency", { ...custom, frequency: "yearly" }, "frequency", "sched-017"],
  ["byDate as frequency", { ...custom, frequency: "byDate" }, "frequency", "sched-017"],
  ["an interval of 0", { ...custom, interval: 0 }, "interval", "sched-009"],
  ["an interval of 100", { ...custom, interval: 100 }, "interval", "sched-009"],
  ["a broken interval", { ...custom, interval: 1.5 }, "interval", "sched-009"],
  ["an interval in words", { ...custom, interval: "two" }, "interval", "sched-009"],
  ["an interval of true", { ...custom, interval: true }, "interval", "sched-009"],
  ["no entries", without(daily, "schedules"), "schedules", "sched-001"],
  ["an empty list of entries", { ...daily, schedules: [] }, "schedules", "sched-001"],
  ["entries that are no list", { ...daily, schedules: { time: ["06:30"] } }, "schedules", "sched-011"],
  ["an entry that is a text", { ...daily, schedules: ["06:30"] }, "schedules.0", "sched-003"],
  ["an entry that is null", { ...daily, schedules: [{ time: "06:30" }, null] }, "schedules.1", "sched-003"],
  ["no time", { ...daily, schedules: [{}] }, "schedules.0.time", "sched-001"],
  ["an empty list of times", { ...daily, schedules: [{ time: [] }] }, "schedules.0.time", "sched-001"],
  ["hour 24", { ...daily, schedules: [{ time: ["24:00"] }] }, "schedules.0.time", "sched-018"],
  ["minute 60", { ...daily, schedules: [{ time: ["06:60"] }] }, "schedules.0.time", "sched-018"],
  ["second 60", { ...daily, schedules: [{ time: ["06:00:60"] }] }, "schedules.0.time", "sched-018"],
  ["a time without padding", { ...daily, schedules: [{ time: "6:30" }] }, "schedules.0.time", "sched-018"],
  ["a number as time", { ...daily, schedules: [{ time: [630] }] }, "schedules.0.time", "sched-018"],
  ["no weekday", { ...weekly, schedules: [{ time: ["06:30"] }] }, "schedules.0.day", "sched-001"],
  [
    "a short weekday",
    { ...weekly, schedules: [{ day: "mon", time: "06:30" }] },
    "schedules.0.day",
    "sched-017",
  ],
  [
    "a number as weekday",
    { ...weekly, schedules: [{ day: 1, time: "06:30" }] },
    "schedules.0.day",
    "sched-017",
  ],
  ["no day of the month", { ...monthly, schedules: [{ time: "06:30" }] }, "schedules.0.date", "sched-001"],
  ["a 32nd", { ...monthly, schedules: [{ date: "32", time: "06:30" }] }, "schedules.0.date", "sched-003"],
  ["a 0th", { ...monthly, schedules: [{ date: 0, time: "06:30" }] }, "schedules.0.date", "sched-003"],
  ["the last day", { ...monthly, schedules: [{ date: -1, time: "06:30" }] }, "schedules.0.date", "sched-003"],
  [
    "the last day in words",
    { ...monthly, schedules: [{ date: "last", time: "06:30" }] },
    "schedules.0.date",
    "sched-003",
  ],
  ["no date", { ...dated, schedules: [{ time: "06:30" }] }, "schedules.0.date", "sched-001"],
  [
    "30 February",
    { ...dated, schedules: [{ date: "2027-02-30", time: "06:30" }] },
    "schedules.0.date",
    "sched-008",
  ],
  [
    "29 February of a common year",
    { ...dated, schedules: [{ date: "2027-02-29", time: "06:30" }] },
    "schedules.0.date",
    "sched-008",
  ],
  [
    "a day of the month by date",
    { ...dated, schedules: [{ date: "5", time: "06:30" }] },
    "schedules.0.date",
    "sched-008",
  ],
  ["a start on 31 April", { ...daily, startTime: "2027-04-31" }, "startTime", "sched-008"],
  ["a start with seconds", { ...daily, startTime: "2027-03-30 10:00:00" }, "startTime", "sched-008"],
  ["an ISO start", { ...daily, startTime: "2027-03-30T10:00" }, "startTime", "sched-008"],
  ["an end at hour 24", { ...daily, endTime: "2027-04-01 24:00" }, "endTime", "sched-008"],
  ["an end as a number", { ...daily, endTime: 1 }, "endTime", "sched-008"],
  ["an end before the start", { ...daily, endTime: "2027-03-29" }, "endTime", "sched-008"],
  [
    "an end before the start minute",
    { ...daily, startTime: "2027-03-30 10:00", endTime: "2027-03-30 09:59" },
    "endTime",
    "sched-008",
  ],
  [
    "an end before the start by date",
    { ...dated, startTime: "2027-02-01", endTime: "2027-01-01" },
    "endTime",
    "sched-008",
  ],
  ["an unknown time zone", { ...daily, timeZone: "Mars/Olympus" }, "timeZone", "sched-034"],
  ["an offset as time zone", { ...daily, timeZone: "+07:00" }, "timeZone", "sched-034"],
  ["a number as time zone", { ...daily, timeZone: 7 }, "timeZone", "sched-034"],
  ["101 entries", { ...daily, schedules: Array(101).fill({ time: "06:30" }) }, "schedules", "sched-040"],
  ["49 times", { ...daily, schedules: [{ time: Array(49).fill("06:30") }] }, "schedules.0.time", "sched-040"],
]

for (const [what, body, field, code] of refusals) {
  test(`a schedule with ${what} is refused with ${code} at ${field}`, () => {
    const [first] = refused(body)
    assert.deepEqual({ field: first?.field, code: first?.code }, { field, code })
    assert.ok(first)
    assert.ok(first.message.includes(field), first.message)
  })
}

test("a weekly or monthly schedule of full dates is refused with a hint at byDate", () => {
  for (const periode of ["weekly", "monthly"]) {
    const [first] = refused({ ...daily, periode, schedules: [{ date: "2027-11-26", time: ["04:00"] }] })
    assert.match(first?.message ?? "", /byDate/)
  }
})

test("all problems are returned, in the order of the checks", () => {
  const problems = refused({
    periode: "custom",
    frequency: "yearly",
    startTime: "soon",
    schedules: [{ time: "25:00" }],
    timeZone: "Mars/Olympus",
  })
  assert.deepEqual(
    problems.map(({ field }) => field),
    ["endTime", "interval", "frequency", "schedules.0.time", "startTime", "timeZone"],
  )
  assert.equal(problems[0]?.message, "The endTime field is required.")
})

test("times come as a text or a list, with or without seconds, and leave as a list to the minute", () => {
  const { schedules } = accepted({
    ...daily,
    schedules: [{ time: "06:30:59" }, { time: ["07:00", "07:00"] }],
  })
  assert.deepEqual(schedules, [{ time: ["06:30"] }, { time: ["07:00", "07:00"] }])
})

test("weekdays in any letters, days of the month as numbers or padded, are stored in one form", () => {
  assert.equal(
    accepted({ ...weekly, schedules: [{ day: "Monday", time: "06:30" }] }).schedules[0]?.day,
    "monday",
  )
  for (const date of [5, "5", "05"]) {
    assert.equal(accepted({ ...monthly, schedules: [{ date, time: "06:30" }] }).schedules[0]?.date, "5")
  }
})

test("unknown keys of an entry are left out", () => {
  const entry = { time: "06:30", day: "monday", taskScheduleDetails: 1 }
  assert.deepEqual(accepted({ ...daily, schedules: [entry] }).schedules, [{ time: ["06:30"] }])
})

test("frequency and interval count only in a custom schedule", () => {
  const { frequency, interval } = accepted({ ...weekly, frequency: "daily", interval: 500 })
  assert.deepEqual({ frequency, interval }, { frequency: null, interval: null })
  assert.equal(accepted({ ...custom, interval: "12" }).interval, 12)
})

test("start and end are kept in the form that was sent", () => {
  const { startTime, endTime } = accepted({ ...daily, startTime: "2027-03-30 08:00", endTime: "2027-03-30" })
  assert.deepEqual({ startTime, endTime }, { startTime: "2027-03-30 08:00", endTime: "2027-03-30" })
})

test("a schedule by date without a window gets the one of its dates", () => {
  const entries = ["2027-11-26", "2026-12-24", "2027-02-01"].map((date) => ({ date, time: "04:00" }))
  const { startTime, endTime } = accepted({ ...dated, schedules: entries })
  assert.deepEqual({ startTime, endTime }, { startTime: "2026-12-24", endTime: "2027-11-26" })
})

test("a schedule is in UTC unless a time zone is given", () => {
  assert.equal(accepted(daily).timeZone, "UTC")
  assert.equal(accepted({ ...daily, timeZone: null }).timeZone, "UTC")
  assert.equal(accepted({ ...daily, timeZone: "Asia/Jakarta" }).timeZone, "Asia/Jakarta")
})

test("a schedule in the past and one that never comes true are accepted", () => {
  accepted({ ...daily, startTime: "1999-01-01", endTime: "1999-01-02" })
  accepted({
    ...monthly,
    startTime: "2027-02-01",
    endTime: "2027-02-28",
    schedules: [{ date: "31", time: "05:00" }],
  })
})

test("a stored schedule is accepted again as it is", () => {
  fc.assert(fc.property(randomSchedule, (schedule) => assert.deepEqual(accepted(schedule), schedule)))
})

test("nothing that can be sent makes the parser fail", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        periode: fc.oneof(fc.constantFrom("daily", "weekly", "monthly", "byDate", "custom"), fc.jsonValue()),
        frequency: fc.oneof(fc.constantFrom("daily", "weekly", "monthly"), fc.jsonValue()),
        interval: fc.jsonValue(),
        startTime: fc.oneof(fc.constant("2027-01-01"), fc.jsonValue()),
        endTime: fc.oneof(fc.constant("2027-01-01"), fc.jsonValue()),
        schedules: fc.array(
          fc.oneof(
            fc.record({ day: fc.jsonValue(), date: fc.jsonValue(), time: fc.jsonValue() }),
            fc.jsonValue(),
          ),
        ),
        timeZone: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  )
  fc.assert(fc.property(value, (body) => typeof parseSchedule(body).ok === "boolean"))
})

test("a date to skip is a calendar date", () => {
  assert.deepEqual(parseSkipDate("1970-01-11"), { day: 10 })
  const mistakes: readonly [unknown, string][] = [
    [undefined, "sched-001"],
    ["2027-02-29", "sched-008"],
    [20270301, "sched-008"],
  ]
  for (const [value, code] of mistakes) {
    const parsed = parseSkipDate(value)
    assert.equal("problem" in parsed && parsed.problem.code, code)
  }
})
