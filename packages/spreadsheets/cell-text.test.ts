import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { Cell, DateShape } from "./cell.ts"
import {
  cellToBoolean,
  cellToDate,
  cellToDateTime,
  cellToNumber,
  cellToText,
  cellToTime,
} from "./cell-text.ts"
import { formatMeaning } from "./date-format.ts"
import { serialToDateTime } from "./date-serial.ts"
import { plainNumber } from "./number-text.ts"
import { numberSeparators, parseNumber } from "./parse-number.ts"

const text = (value: string): Cell => ({ kind: "text", text: value })
const date = (serial: number, shape: DateShape, dateSystem: "1900" | "1904" = "1900"): Cell => ({
  kind: "date",
  serial,
  dateSystem,
  shape,
})

test("a date number becomes text of the kind that the field wants", () => {
  const morning = date(45779.58715277778, "dateTime")
  assert.equal(cellToText(morning), "2025-05-02 14:05:30")
  assert.equal(cellToText(date(45779, "date"), "dateTime"), "2025-05-02 00:00:00")
  assert.equal(cellToText(date(45779, "dateTime"), "date"), "2025-05-02")
  assert.equal(cellToText(date(44317, "date", "1904"), "date"), "2025-05-02")
  assert.equal(cellToText(date(0.2708333333333333, "time"), "time"), "06:30:00")
  assert.equal(cellToText(date(1.5, "duration")), "36:00:00")
})

test("a date number that is not what the field wants stays what the user sees, and is refused", () => {
  const morning = date(45779.58715277778, "dateTime")
  assert.equal(cellToText(morning, "date"), "2025-05-02 14:05:30")
  assert.equal(cellToDate(morning), undefined)
  assert.equal(cellToTime(morning), undefined)
  assert.equal(cellToDate(date(0.5, "time")), undefined)
  assert.equal(cellToText(date(-3, "date")), "-3")
  assert.equal(cellToText(date(60, "date")), "60", "29 February 1900 never was")
})

test("a number that lost its date format is a date where a date is wanted, a year or a mistake is not", () => {
  const number = (value: number): Cell => ({ kind: "number", value, text: plainNumber(value) })
  const old: Cell = { kind: "number", value: 44317, text: "44317", dateSystem: "1904" }
  assert.equal(cellToText(number(45779), "date"), "2025-05-02")
  assert.equal(cellToText(old, "date"), "2025-05-02")
  assert.equal(cellToText(number(45779.58715277778), "dateTime"), "2025-05-02 14:05:30")
  assert.equal(cellToDateTime(number(45779.5))?.local.toString(), "2025-05-02T12:00:00")
  assert.equal(cellToText(number(0.25), "time"), "06:00:00")
  assert.equal(cellToText(number(45779)), "45779", "nobody wants a date")
  for (const other of [2025, 45779.5, 20250502, -45779]) {
    assert.equal(cellToText(number(other), "date"), plainNumber(other))
    assert.equal(cellToText(number(other), "time"), plainNumber(other))
  }
  assert.equal(cellToDateTime(number(20250502)), undefined)
})

test("the calendar around 1900 is the one that spreadsheets show", () => {
  assert.equal(cellToText(date(1, "date")), "1900-01-01")
  assert.equal(cellToText(date(59, "date")), "1900-02-28")
  assert.equal(cellToText(date(61, "date")), "1900-03-01")
  assert.equal(cellToText(date(0, "date", "1904")), "1904-01-01")
  assert.equal(cellToText(date(2958465, "date")), "9999-12-31")
})

test("every moment survives the way into a date number and back, to the millisecond", () => {
  const moments = fc.integer({ min: Date.UTC(1900, 2, 1), max: Date.UTC(9999, 11, 31) })
  fc.assert(
    fc.property(moments, (ms) => {
      const moment = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO("UTC").toPlainDateTime()
      const serial = (ms - Date.UTC(1899, 11, 30)) / 86_400_000
      assert.equal(serialToDateTime(serial, "1900")?.toString(), moment.toString())
      assert.equal(serialToDateTime(serial - 1462, "1904")?.toString(), moment.toString())
    }),
  )
})

test("dates, times and moments are read from the accepted texts only", () => {
  assert.equal(cellToDate(text(" 2026-03-31 "))?.toString(), "2026-03-31")
  for (const bad of [
    "31/03/2026",
    "2026-02-30",
    "2026-3-1",
    "20260331",
    "2026-03-31 10:00:00",
    "yesterday",
    "",
  ]) {
    assert.equal(cellToDate(text(bad)), undefined, bad)
  }
  assert.equal(cellToTime(text("06:30"))?.toString(), "06:30:00")
  assert.equal(cellToTime(text("07:00:05"))?.toString(), "07:00:05")
  for (const bad of ["25:10", "9h30", "9:30", "0630"]) assert.equal(cellToTime(text(bad)), undefined, bad)
  const moments: [string, string, string | undefined][] = [
    ["2025-05-02 14:05:00", "2025-05-02T14:05:00", undefined],
    ["2025-05-02T14:05:00", "2025-05-02T14:05:00", undefined],
    ["2025-05-03T09:00:00+01:00", "2025-05-03T09:00:00", "+01:00"],
    ["2025-05-03T09:00:00.125Z", "2025-05-03T09:00:00.125", "Z"],
  ]
  for (const [given, local, offset] of moments) {
    const read = cellToDateTime(text(given))
    assert.equal(read?.local.toString(), local)
    assert.equal(read?.offset, offset)
  }
  for (const bad of ["2025-05-02", "2025-02-30 10:00:00", "2025-05-02 24:00:01", "yesterday"]) {
    assert.equal(cellToDateTime(text(bad)), undefined, bad)
  }
  assert.equal(cellToDateTime(date(45779, "date"))?.local.toString(), "2025-05-02T00:00:00")
})

test("booleans are read in the words of the file format", () => {
  for (const yes of ["true", "TRUE", "1", "Yes"]) assert.equal(cellToBoolean(text(yes)), true)
  for (const no of ["false", "0", "NO"]) assert.equal(cellToBoolean(text(no)), false)
  assert.equal(cellToBoolean({ kind: "number", value: 1, text: "1" }), true)
  assert.equal(cellToBoolean(text("maybe")), undefined)
  assert.equal(cellToText({ kind: "boolean", value: true }), "true")
})

test("numbers typed as text are read in the organization's language, and as programs write them in any", () => {
  const comma = numberSeparators("de")
  const point = numberSeparators("en")
  assert.deepEqual(
    [comma, numberSeparators("id"), numberSeparators("fr-CH"), numberSeparators("nonsense!")].map(
      (s) => s.decimal,
    ),
    [",", ",", ",", "."],
  )
  const cases: [string, number | undefined, number | undefined][] = [
    // text, with decimal comma, with decimal point
    ["12.5", 12.5, 12.5],
    ["-7", -7, -7],
    ["12,5", 12.5, undefined],
    ["1.234,5", 1234.5, undefined],
    ["1,234.5", undefined, 1234.5],
    ["1.234.567", 1234567, undefined],
    ["1,234,567", undefined, 1234567],
    ["1 234 567", 1234567, 1234567],
    ["1\u202f234,5", 1234.5, undefined],
    ["1'234.5", undefined, 1234.5],
    [",5", 0.5, undefined],
    [".5", undefined, 0.5],
    ["+3", 3, 3],
    ["1,23,456", undefined, undefined],
    ["1e5", undefined, undefined],
    ["0x10", undefined, undefined],
    ["forty", undefined, undefined],
    ["12 kg", undefined, undefined],
    ["", undefined, undefined],
  ]
  for (const [given, withComma, withPoint] of cases) {
    assert.equal(parseNumber(given, comma), withComma, `${given} with a comma`)
    assert.equal(parseNumber(given, point), withPoint, `${given} with a point`)
  }
  assert.equal(cellToNumber({ kind: "number", value: 2.5, text: "2.5" }, comma), 2.5)
  assert.equal(cellToNumber({ kind: "boolean", value: true }, comma), undefined)
})

test("a number's text is plain digits that read back as the number, but for the noise of sums", () => {
  assert.equal(plainNumber(0.1 + 0.2), "0.3")
  assert.equal(plainNumber(0.1 + 0.7), "0.8")
  assert.equal(plainNumber(52.55889892578125), "52.55889892578125")
  assert.equal(plainNumber(1e21), "1000000000000000000000")
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const shown = plainNumber(value)
      assert.match(shown, /^-?\d+(\.\d*[1-9])?$/)
      const tolerance = Math.abs(value) * 1e-14
      assert.ok(Math.abs(Number(shown) - value) <= tolerance, `${value} shown as ${shown}`)
    }),
  )
})

test("number formats are distinguished: dates, times, durations, padded codes, money", () => {
  const cases: [string, ReturnType<typeof formatMeaning>][] = [
    ["yyyy\\-mm\\-dd", { kind: "date", shape: "date" }],
    ["d. mmmm yyyy", { kind: "date", shape: "date" }],
    ["mmm yy", { kind: "date", shape: "date" }],
    ["[$-409]m/d/yy h:mm AM/PM;@", { kind: "date", shape: "dateTime" }],
    ["hh:mm:ss", { kind: "date", shape: "time" }],
    ["mm:ss.0", { kind: "date", shape: "time" }],
    ["[h]:mm", { kind: "date", shape: "duration" }],
    ["00000", { kind: "zeros", width: 5 }],
    ['"TRUE";"TRUE";"FALSE"', { kind: "boolean" }],
    ["General", undefined],
    ["0.00E+00", undefined],
    ['#,##0.00 "days"', undefined],
    ["[Red]0.0", undefined],
    ["[$€-407] #,##0.00", undefined],
    ['0 "hm"', undefined],
    ["@", undefined],
  ]
  for (const [code, meaning] of cases) assert.deepEqual(formatMeaning(164, code), meaning, code)
  assert.deepEqual(formatMeaning(14, undefined), { kind: "date", shape: "date" })
  assert.equal(formatMeaning(2, undefined), undefined)
})
