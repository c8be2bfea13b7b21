/*
 * Next run of a schedule, against `rrule-temporal` with the same rules, in one process.
 *
 * Both sides build their rule once and are asked for the run after 1,000 instants spread over the window,
 * in random order; every result is compared. A library rule has one time list, so schedules whose entries
 * form one list are given to it as one rule (its best case), others as one rule per entry.
 * Run: node bench/recurrence.ts
 */
import { RRuleTemporal } from "rrule-temporal"
import { parseSchedule } from "#packages/recurrence/parse.ts"
import { recurrenceOf } from "#packages/recurrence/recurrence.ts"
import { nextRun } from "#packages/recurrence/runs.ts"

type Case = { name: string; body: Record<string, unknown>; rules: readonly string[] }

const instants = 1_000
const rounds = 25
const window = { startTime: "2027-01-01", endTime: "2036-12-31" }
const dtstart = "20270101T000000"

const cases: readonly Case[] = [
  {
    name: "daily, one time",
    body: { periode: "daily", schedules: [{ time: "06:30" }] },
    rules: ["FREQ=DAILY;BYHOUR=6;BYMINUTE=30"],
  },
  {
    name: "weekly, three days, two times",
    body: {
      periode: "weekly",
      schedules: ["monday", "wednesday", "friday"].map((day) => ({ day, time: ["08:00", "16:00"] })),
    },
    rules: ["FREQ=WEEKLY;BYDAY=MO,WE,FR;BYHOUR=8,16;BYMINUTE=0"],
  },
  {
    name: "weekly, other times each day",
    body: {
      periode: "weekly",
      schedules: [
        { day: "tuesday", time: "08:00" },
        { day: "friday", time: ["08:30", "16:30"] },
      ],
    },
    rules: ["FREQ=WEEKLY;BYDAY=TU;BYHOUR=8;BYMINUTE=0", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=8,16;BYMINUTE=30"],
  },
  {
    name: "monthly on the 31st",
    body: { periode: "monthly", schedules: [{ date: "31", time: "05:00" }] },
    rules: ["FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=5;BYMINUTE=0"],
  },
  {
    name: "every 3 days, three times",
    body: {
      periode: "custom",
      frequency: "daily",
      interval: 3,
      schedules: [{ time: ["09:00", "12:00", "15:00"] }],
    },
    rules: ["FREQ=DAILY;INTERVAL=3;BYHOUR=9,12,15;BYMINUTE=0"],
  },
  {
    name: "every 2 weeks, two days",
    body: {
      periode: "custom",
      frequency: "weekly",
      interval: 2,
      schedules: ["monday", "thursday"].map((day) => ({ day, time: "02:00" })),
    },
    rules: ["FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=MO,TH;BYHOUR=2;BYMINUTE=0"],
  },
  {
    name: "every 3 months on the 31st",
    body: { periode: "custom", frequency: "monthly", interval: 3, schedules: [{ date: 31, time: "20:00" }] },
    rules: ["FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=31;BYHOUR=20;BYMINUTE=0"],
  },
]

/**
 * Nanoseconds a call of each side: the best of many rounds that take turns, so that whatever else the
 * machine does meets both sides, and short rounds find quiet moments.
 */
function compare(sides: readonly { calls: number; round: () => void }[]): number[] {
  const best = sides.map(() => Number.POSITIVE_INFINITY)
  for (let index = 0; index < rounds; index++) {
    for (const [side, { calls, round }] of sides.entries()) {
      const start = performance.now()
      round()
      const nanoseconds = ((performance.now() - start) * 1e6) / calls
      best[side] = Math.min(best[side] ?? nanoseconds, nanoseconds)
    }
  }
  return best
}

function row(...cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(48) : cell.padStart(15))).join("")
}

function libraryRules(rules: readonly string[], timeZone: string): RRuleTemporal[] {
  return rules.map(
    (rule) =>
      new RRuleTemporal({
        rruleString: `DTSTART;TZID=${timeZone}:${dtstart}\nRRULE:${rule};BYSECOND=0;UNTIL=20361231T235959Z`,
      }),
  )
}

function measure({ name, body, rules }: Case, timeZone: string): number {
  const parsed = parseSchedule({ ...body, ...window, timeZone })
  if (!parsed.ok) throw new Error(`${name}: ${parsed.problems[0].message}`)
  const { schedule } = parsed
  // Ends half a year early, so that each instant has a next run on both sides.
  const [from, until] = [Date.UTC(2027, 0, 2), Date.UTC(2036, 5, 1)]
  // Multiplicative steps visit the window out of order, the same in each run.
  const asked = Array.from({ length: instants }, (_, index) => {
    const position = (index * 0.618_033_988_749_895) % 1
    return Math.floor((from + position * (until - from)) / 1000) * 1000
  })
  const askedDates = asked.map((instant) => new Date(instant))

  const recurrence = recurrenceOf(schedule)
  const library = libraryRules(rules, timeZone)
  const libraryNext = (after: Date) => {
    let earliest: number | undefined
    for (const rule of library) {
      const next = rule.next(after)?.epochMilliseconds
      if (next !== undefined && (earliest === undefined || next < earliest)) earliest = next
    }
    return earliest
  }
  for (const [index, instant] of asked.entries()) {
    const ours = nextRun(recurrence, instant)
    const theirs = libraryNext(askedDates[index] ?? new Date(instant))
    if (ours !== theirs) throw new Error(`${name}, ${timeZone}: ${ours} is not ${theirs} after ${instant}`)
  }

  const few = askedDates.slice(0, 50)
  const [ours = 0, theirs = 0, oursBuilt = 0, theirsBuilt = 0] = compare([
    {
      calls: asked.length,
      round: () => {
        for (const instant of asked) nextRun(recurrence, instant)
      },
    },
    {
      calls: asked.length,
      round: () => {
        for (const date of askedDates) libraryNext(date)
      },
    },
    {
      calls: asked.length,
      round: () => {
        for (const instant of asked) nextRun(recurrenceOf(schedule), instant)
      },
    },
    {
      calls: few.length,
      round: () => {
        for (const date of few) {
          for (const rule of libraryRules(rules, timeZone)) rule.next(date)
        }
      },
    },
  ])
  const label = `${name}, ${timeZone}`
  console.log(row(label, ours.toFixed(0), theirs.toFixed(0), `${(theirs / ours).toFixed(1)} x`))
  console.log(
    row(
      "  rule built for each call",
      oursBuilt.toFixed(0),
      theirsBuilt.toFixed(0),
      `${(theirsBuilt / oursBuilt).toFixed(1)} x`,
    ),
  )
  return theirs / ours
}

console.log(row("next run, ns a call", "fieldway", "rrule-temporal", "ratio"))
const ratios = ["UTC", "Asia/Jakarta", "Europe/Berlin"].flatMap((timeZone) =>
  cases.map((rule) => measure(rule, timeZone)),
)
const geometricMean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
console.log(
  row(
    "rule built once: lowest and mean ratio",
    "",
    `${Math.min(...ratios).toFixed(1)} x`,
    `${geometricMean.toFixed(1)} x`,
  ),
)
