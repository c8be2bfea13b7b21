import assert from "node:assert/strict"
import { test } from "node:test"
import { parseSchedule } from "./parse.ts"
import { recurrenceOf } from "./recurrence.ts"
import { listRuns } from "./runs.ts"
import { timeSchedules } from "./schedule.ts"

type Example = {
  readonly name: string
  readonly body: Record<string, unknown>
  /** When the schedule is saved, if not before its first day. */
  readonly createdAt?: string
  /** `Y-m-d` followed by the times of that day. */
  readonly runs: readonly string[]
  readonly times?: readonly string[]
}

const examples: readonly Example[] = [
  {
    name: "a daily schedule counts its end day whole",
    body: {
      periode: "daily",
      startTime: "2027-03-30",
      endTime: "2027-04-01",
      schedules: [{ time: ["06:30", "13:15"] }],
    },
    runs: ["2027-03-30 06:30 13:15", "2027-03-31 06:30 13:15", "2027-04-01 06:30 13:15"],
    times: ["06:30", "13:15"],
  },
  {
    name: "a schedule saved during its window is not filled in backwards, nor for the current minute",
    body: {
      periode: "daily",
      startTime: "2027-06-01",
      endTime: "2027-06-12",
      schedules: [{ time: ["09:10"] }, { time: ["18:00"] }],
    },
    createdAt: "2027-06-10T09:10:20Z",
    runs: ["2027-06-10 18:00", "2027-06-11 09:10 18:00", "2027-06-12 09:10 18:00"],
  },
  {
    name: "a weekly schedule has its own times for each weekday",
    body: {
      periode: "weekly",
      startTime: "2027-02-01",
      endTime: "2027-02-14",
      schedules: [
        { day: "tuesday", time: ["08:00"] },
        { day: "friday", time: ["08:00", "16:30"] },
      ],
    },
    runs: ["2027-02-02 08:00", "2027-02-05 08:00 16:30", "2027-02-09 08:00", "2027-02-12 08:00 16:30"],
    times: ["tuesday 08:00", "friday 08:00", "friday 16:30"],
  },
  {
    name: "both ends of a weekly window count",
    body: {
      periode: "weekly",
      startTime: "2027-09-05",
      endTime: "2027-09-19",
      schedules: [{ day: "sunday", time: ["22:45"] }],
    },
    runs: ["2027-09-05 22:45", "2027-09-12 22:45", "2027-09-19 22:45"],
  },
  {
    name: "months without a 31st are skipped",
    body: {
      periode: "monthly",
      startTime: "2027-01-10",
      endTime: "2027-07-31",
      schedules: [{ date: "31", time: ["05:00"] }],
    },
    runs: ["2027-01-31 05:00", "2027-03-31 05:00", "2027-05-31 05:00", "2027-07-31 05:00"],
    times: ["31 05:00"],
  },
  {
    name: "a leap year has a 29 February",
    body: {
      periode: "monthly",
      startTime: "2028-01-02",
      endTime: "2028-03-28",
      schedules: [
        { date: "1", time: ["07:20"] },
        { date: "29", time: ["07:20", "19:20"] },
      ],
    },
    runs: ["2028-01-29 07:20 19:20", "2028-02-01 07:20", "2028-02-29 07:20 19:20", "2028-03-01 07:20"],
  },
  {
    name: "a schedule by date runs on its dates",
    body: {
      periode: "byDate",
      schedules: [
        { date: "2027-11-26", time: ["04:00", "10:00"] },
        { date: "2027-12-24", time: ["04:00"] },
      ],
    },
    runs: ["2027-11-26 04:00 10:00", "2027-12-24 04:00"],
    times: ["2027-11-26 04:00", "2027-11-26 10:00", "2027-12-24 04:00"],
  },
  {
    name: "a schedule by date ignores its window, and a doubled instant is one run",
    body: {
      periode: "byDate",
      startTime: "2027-01-01",
      endTime: "2027-01-31",
      schedules: [
        { date: "2027-08-20", time: ["11:30"] },
        { date: "2027-08-03", time: ["11:30"] },
        { date: "2027-08-20", time: ["11:30", "12:00"] },
      ],
    },
    createdAt: "2027-08-04T00:00:05Z",
    runs: ["2027-08-20 11:30 12:00"],
  },
  {
    name: "every fourth day is counted across the end of the month",
    body: {
      periode: "custom",
      frequency: "daily",
      interval: 4,
      startTime: "2027-05-28 00:00",
      endTime: "2027-06-09 23:59",
      schedules: [{ time: ["03:00"] }],
    },
    runs: ["2027-05-28 03:00", "2027-06-01 03:00", "2027-06-05 03:00", "2027-06-09 03:00"],
  },
  {
    name: "start and end minutes cut the first and last day, and the end minute counts",
    body: {
      periode: "custom",
      frequency: "daily",
      interval: 3,
      startTime: "2027-10-04 10:00",
      endTime: "2027-10-13 12:00",
      schedules: [{ time: ["09:00", "12:00", "15:00"] }],
    },
    runs: [
      "2027-10-04 12:00 15:00",
      "2027-10-07 09:00 12:00 15:00",
      "2027-10-10 09:00 12:00 15:00",
      "2027-10-13 09:00 12:00",
    ],
  },
  {
    name: "every second week is counted from the week of the start",
    body: {
      periode: "custom",
      frequency: "weekly",
      interval: 2,
      startTime: "2027-04-07 00:00",
      endTime: "2027-05-06 23:59",
      schedules: [
        { day: "monday", time: ["02:00"] },
        { day: "thursday", time: ["02:00"] },
      ],
    },
    runs: [
      "2027-04-08 02:00",
      "2027-04-19 02:00",
      "2027-04-22 02:00",
      "2027-05-03 02:00",
      "2027-05-06 02:00",
    ],
    times: ["monday 02:00", "thursday 02:00"],
  },
  {
    name: "weeks begin on Monday when every third is counted",
    body: {
      periode: "custom",
      frequency: "weekly",
      interval: 3,
      startTime: "2027-08-01 00:00",
      endTime: "2027-09-30 23:59",
      schedules: [
        { day: "sunday", time: ["07:15"] },
        { day: "monday", time: ["07:15"] },
      ],
    },
    runs: [
      "2027-08-01 07:15",
      "2027-08-16 07:15",
      "2027-08-22 07:15",
      "2027-09-06 07:15",
      "2027-09-12 07:15",
      "2027-09-27 07:15",
    ],
  },
  {
    name: "a quarter without the date is skipped and does not shift the cycle",
    body: {
      periode: "custom",
      frequency: "monthly",
      interval: 3,
      startTime: "2027-01-01 00:00",
      endTime: "2027-12-31 23:59",
      schedules: [{ date: "31", time: ["20:00"] }],
    },
    runs: ["2027-01-31 20:00", "2027-07-31 20:00", "2027-10-31 20:00"],
  },
  {
    name: "the month of the start is the anchor even when its own date is over",
    body: {
      periode: "custom",
      frequency: "monthly",
      interval: 2,
      startTime: "2027-02-10 00:00",
      endTime: "2027-08-15 23:59",
      schedules: [
        { date: "1", time: ["06:00"] },
        { date: "15", time: ["06:00"] },
      ],
    },
    runs: [
      "2027-02-15 06:00",
      "2027-04-01 06:00",
      "2027-04-15 06:00",
      "2027-06-01 06:00",
      "2027-06-15 06:00",
      "2027-08-01 06:00",
      "2027-08-15 06:00",
    ],
  },
]

for (const { name, body, createdAt, runs, times } of examples) {
  test(name, () => {
    const parsed = parseSchedule(body)
    assert.ok(parsed.ok)
    const { schedule } = parsed
    const after = createdAt === undefined ? Date.UTC(2026, 0, 1) : Date.parse(createdAt)
    const expected = runs.flatMap((line) => {
      const [date, ...minutes] = line.split(" ")
      return minutes.map((minute) => `${date}T${minute}:00.000Z`)
    })
    const found = listRuns(recurrenceOf(schedule), { after, limit: 1000 })
    assert.deepEqual(
      found.map((at) => new Date(at).toISOString()),
      expected,
    )
    if (times) assert.deepEqual(timeSchedules(schedule), times)
  })
}

test("interval 1 equals the plain kind", () => {
  const window = { startTime: "2027-01-15", endTime: "2027-06-20" }
  const entries = {
    daily: [{ time: "05:00" }],
    weekly: [{ day: "friday", time: "05:00" }],
    monthly: [{ date: 30, time: "05:00" }],
  }
  for (const [kind, schedules] of Object.entries(entries)) {
    const plain = parseSchedule({ periode: kind, schedules, ...window })
    const custom = parseSchedule({ periode: "custom", frequency: kind, interval: 1, schedules, ...window })
    assert.ok(plain.ok && custom.ok)
    const all = { limit: 1000 }
    assert.deepEqual(
      listRuns(recurrenceOf(custom.schedule), all),
      listRuns(recurrenceOf(plain.schedule), all),
    )
  }
})
