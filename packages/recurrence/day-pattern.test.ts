import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type DayPattern, firstDayFrom, firstIndexFrom, lastDayUntil, minutesOn } from "./day-pattern.ts"

/** The calendar of the platform, which the patterns do without. */
const dateOf = (day: number) => new Date(day * 86_400_000)
const monthsOf = (day: number) => dateOf(day).getUTCFullYear() * 12 + dateOf(day).getUTCMonth()

/** Whether a pattern has a day, by its definition. */
function has(pattern: DayPattern, day: number): boolean {
  switch (pattern.kind) {
    case "days":
      return (day - pattern.anchorDay) % pattern.interval === 0
    case "weeks": {
      const weekday = (dateOf(day).getUTCDay() + 6) % 7
      const weeks = (day - weekday - pattern.anchorMonday) / 7
      return weeks % pattern.interval === 0 && (pattern.minutesByWeekday[weekday] ?? []).length > 0
    }
    case "months":
      return (
        (monthsOf(day) - pattern.anchorMonth) % pattern.interval === 0 &&
        pattern.dates.includes(dateOf(day).getUTCDate())
      )
    case "dates":
      return pattern.days.includes(day)
  }
}

const minutes = [60, 600]
const around = 20_800
const somewhere = fc.integer({ min: around - 800, max: around + 800 })
const interval = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 }))
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const pattern: fc.Arbitrary<DayPattern> = fc.oneof(
  fc.record({ anchorDay: somewhere, interval }).map((rest) => ({ kind: "days", minutes, ...rest }) as const),
  fc
    .tuple(somewhere, interval, fc.uniqueArray(fc.nat(6), { maxLength: 3 }))
    .map(([day, every, weekdays]): DayPattern => {
      const anchorMonday = day - ((dateOf(day).getUTCDay() + 6) % 7)
      const minutesByWeekday = [0, 1, 2, 3, 4, 5, 6].map((weekday) =>
        weekdays.includes(weekday) ? minutes : [],
      )
      return { kind: "weeks", anchorMonday, interval: every, minutesByWeekday }
    }),
  fc
    .tuple(
      somewhere,
      fc.integer({ min: 1, max: 14 }),
      fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(1, 29, 30, 31)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(
      ([day, every, dates]): DayPattern => ({
        kind: "months",
        anchorMonth: monthsOf(day),
        interval: every,
        dates: ascending(dates),
        minutesByDate: new Map(dates.map((date) => [date, minutes])),
      }),
    ),
  fc.uniqueArray(somewhere, { maxLength: 4 }).map(
    (days): DayPattern => ({
      kind: "dates",
      days: ascending(days),
      minutesByDay: new Map(days.map((day) => [day, minutes])),
    }),
  ),
)

test("the first and the last day of a span are those that a look at each day finds", () => {
  fc.assert(
    fc.property(pattern, somewhere, fc.oneof(fc.nat(9), fc.nat(400)), (drawn, from, length) => {
      const days = Array.from({ length: length + 1 }, (_, index) => from + index)
      const matching = days.filter((day) => has(drawn, day))
      assert.equal(firstDayFrom(drawn, from, from + length), matching[0])
      assert.equal(lastDayUntil(drawn, from + length, from), matching.at(-1))
      for (const day of matching.slice(0, 3)) assert.deepEqual(minutesOn(drawn, day), minutes)
    }),
    { numRuns: 600 },
  )
})

test("the first value that is not below another is found by halving", () => {
  for (let length = 0; length < 9; length++) {
    const values = Array.from({ length }, (_, index) => 10 * index)
    for (let from = -1; from <= 10 * length; from++) {
      const expected = values.findIndex((value) => value >= from)
      assert.equal(firstIndexFrom(values, from), expected === -1 ? length : expected)
    }
  }
})
