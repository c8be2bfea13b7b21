import assert from "node:assert/strict"
import { test } from "node:test"
import {
  calendarDate,
  dayNumber,
  floorMod,
  formatDate,
  formatTimeOfDay,
  formatWallTime,
  millisecondsPerDay,
  millisecondsPerMinute,
  minutesPerDay,
  monthLength,
  parseDate,
  parseTimeOfDay,
  weekdayOf,
} from "./calendar.ts"

test("every day of 400 years, and the ends of months of all years, are those of the platform's calendar", () => {
  const check = (day: number) => {
    const expected = new Date(day * millisecondsPerDay)
    const [year, month, date] = [expected.getUTCFullYear(), expected.getUTCMonth() + 1, expected.getUTCDate()]
    const found = calendarDate(day)
    if (found.year !== year || found.month !== month || found.date !== date)
      assert.fail(`${day}: ${JSON.stringify(found)} instead of ${expected.toISOString()}`)
    if (dayNumber(year, month, date) !== day) assert.fail(`${expected.toISOString()} is not day ${day}`)
    if (weekdayOf(day) !== (expected.getUTCDay() + 6) % 7) assert.fail(`the weekday of ${day}`)
  }
  for (let day = -25_567; day < -25_567 + 146_097; day += 1) check(day)
  for (let year = 1; year <= 9999; year += 1)
    for (let month = 1; month <= 12; month += 1) {
      const first = new Date(Date.UTC(2000, month - 1, 1)).setUTCFullYear(year) / millisecondsPerDay
      check(first)
      const next =
        month === 12
          ? first + 31
          : new Date(Date.UTC(2000, month, 1)).setUTCFullYear(year) / millisecondsPerDay
      check(next - 1)
      if (monthLength(year, month) !== next - first) assert.fail(`the length of ${year}-${month}`)
    }
})

test("a remainder has the sign of the divisor", () => {
  assert.deepEqual(
    [7, 6, 0, -1, -7, -8].map((value) => floorMod(value, 7)),
    [0, 6, 0, 6, 0, 6],
  )
  assert.deepEqual([minutesPerDay, millisecondsPerMinute, millisecondsPerDay], [1440, 60_000, 86_400_000])
})

test("a date is read from 1900 on, where that day exists, and in this form alone", () => {
  for (const text of ["1900-01-01", "2024-02-29", "2031-12-31", "9999-12-31"]) {
    assert.equal(parseDate(text), Date.parse(text) / millisecondsPerDay, text)
    assert.equal(formatDate(parseDate(text) ?? 0), text)
  }
  const wrong = [
    "1899-12-31",
    "2023-02-29",
    "2024-02-30",
    "2031-04-31",
    "2031-00-10",
    "2031-13-10",
    "2031-10-00",
  ]
  const others = ["2031-10-32", "2031/10-01", "2031-10/01", "2031-10-1", "2031-10-011", "2o31-10-01", ""]
  for (const text of [...wrong, ...others]) assert.equal(parseDate(text), undefined, text)
  // The characters beside the digits, in each place.
  for (const place of [0, 1, 2, 3, 5, 6, 8, 9])
    for (const letter of ["/", ":", " "]) {
      const text = "2031-10-11"
      const changed = text.slice(0, place) + letter + text.slice(place + 1)
      assert.equal(parseDate(changed), undefined, changed)
    }
})

test("a time of day is read to the minute, and written as it was read", () => {
  const two = (value: number) => String(value).padStart(2, "0")
  for (let hour = 0; hour < 100; hour += 1)
    for (let minute = 0; minute < 100; minute += 1) {
      const text = `${two(hour)}:${two(minute)}`
      const expected = hour < 24 && minute < 60 ? hour * 60 + minute : undefined
      if (parseTimeOfDay(text) !== expected) assert.fail(text)
      if (expected !== undefined && formatTimeOfDay(expected) !== text) assert.fail(`${expected}`)
    }
  assert.deepEqual(["07:05:00", "07:05:59", "00:00:00"].map(parseTimeOfDay), [425, 425, 0])
  const wrong = [
    "07:05:60",
    "07:05.30",
    "07:05:5",
    "07:05:555",
    "7:05",
    "07.05",
    "07.05:30",
    "0705",
    "",
    "07:05:",
  ]
  for (const text of wrong) assert.equal(parseTimeOfDay(text), undefined, text)
})

test("a wall time is a date and a time, also before 1970", () => {
  assert.equal(formatWallTime(0), "1970-01-01 00:00")
  assert.equal(formatWallTime(-1), "1969-12-31 23:59")
  assert.equal(formatWallTime(1440 * 31 + 61), "1970-02-01 01:01")
  assert.equal(formatDate(dayNumber(7, 3, 4)), "0007-03-04")
})
