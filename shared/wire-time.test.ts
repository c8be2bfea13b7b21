import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
  earliestInstant,
  latestInstant,
  orNull,
  parseDate,
  parseDateTime,
  parseTime,
  parseTimeBound,
  toT1,
  toT2,
  toT3,
  toT4,
  toT7,
} from "./wire-time.ts"

const instant = Temporal.Instant.from("2031-05-04T03:02:01.123Z")

test("each format writes as the contract shows it", () => {
  assert.equal(toT1(instant), "2031-05-04T03:02:01+00:00")
  assert.equal(toT2(instant), "2031-05-04T03:02:01.123000Z")
  assert.equal(toT3(instant), "2031-05-04 03:02:01")
  assert.equal(toT4(instant), "2031-05-04")
  assert.equal(toT7(instant), "1935630121")
})

test("dates and times are read in every accepted form; no offset means UTC", () => {
  const at = Date.parse("2031-05-04T03:02:01Z")
  for (const text of [
    "2031-05-04 03:02:01",
    "2031-05-04T03:02:01",
    "2031-05-04T03:02:01Z",
    "2031-05-04T10:02:01+07:00",
    "2031-05-04T03:02:01.000+00:00",
    "2031-05-04T00:02:01-0300",
  ])
    assert.equal(parseDateTime(text), at, text)
  assert.equal(parseDateTime("2031-05-04T03:02:01.987Z"), at + 987)
  assert.equal(parseDateTime("2031-05-04T03:02:01.999999999Z"), at + 999)
})

test("what is no moment is refused", () => {
  for (const text of [
    "",
    "yesterday",
    "2031-02-29 00:00:00",
    "2031-13-01 00:00:00",
    "2031-05-04 24:00:00",
    "2031-05-04",
    "04/05/2031 03:02:01",
    "2031-00-10 00:00:00",
  ])
    assert.equal(parseDateTime(text), undefined, text)
  assert.equal(parseDate("2030-02-29"), undefined)
  for (const text of ["25:10", "03.02", "03:021", "03:02:011", "03:02.01", "03:02:", "3:2", ""])
    assert.equal(parseTime(text), undefined, text)
  assert.equal(parseTime("7:05"), "07:05")
})

test("equal dates as bounds mean that whole day, a bound to the second includes its second", () => {
  assert.equal(parseTimeBound("2031-05-04", "from"), Date.parse("2031-05-04T00:00:00Z"))
  assert.equal(parseTimeBound("2031-05-04", "to"), Date.parse("2031-05-04T23:59:59.999Z"))
  assert.equal(parseTimeBound("2031-05-04 03:02:01", "to"), Date.parse("2031-05-04T03:02:01.999Z"))
})

test("a bound with a fraction is that very moment, and so is the first moment of a span", () => {
  const at = Date.parse("2031-05-04T03:02:01Z")
  assert.equal(parseTimeBound("2031-05-04 03:02:01", "from"), at)
  for (const text of ["2031-05-04 03:02:01.5", "2031-05-04 03:02:01,5"])
    assert.equal(parseTimeBound(text, "to"), at + 500)
  for (const text of ["2031-05-04T10:02:01 07:00", "2031-05-04 10:02:01 0700"])
    assert.equal(parseTimeBound(text, "from"), at, text)
  assert.equal(parseTimeBound("2031-05-04 03:02", "from"), at - 1000)
  for (const text of ["tomorrow", "2031-02-29", "2031-05-04 25:00"])
    assert.equal(parseTimeBound(text, "to"), undefined, text)
})

test("moments are those of the years 1 to 9999 in UTC, to the millisecond", () => {
  assert.equal(parseDateTime("0001-01-01T00:00:00Z"), -62_135_596_800_000)
  assert.equal(parseDateTime("0001-01-01T00:00:59.999+00:01"), undefined)
  assert.equal(parseDateTime("9999-12-31T23:58:59.999-00:01"), 253_402_300_799_999)
  assert.equal(parseDateTime("9999-12-31T23:59:00-00:01"), undefined)
  assert.deepEqual([earliestInstant, latestInstant], [-62_135_596_800_000, 253_402_300_799_999])
})

test("a value that is missing is written as null", () => {
  assert.deepEqual(
    [instant, null, undefined].map((value) => orNull(value, toT4)),
    ["2031-05-04", null, null],
  )
})

test("what is written is read back to the second", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("1970-01-01"), max: new Date("2200-01-01"), noInvalidDate: true }),
      (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000
        const moment = { epochMilliseconds: date.getTime() }
        assert.equal(parseDateTime(toT1(moment)), seconds)
        assert.equal(parseDateTime(toT3(moment)), seconds)
        assert.equal(parseDateTime(toT2(moment)), date.getTime())
      },
    ),
  )
})

/** Numbers in and just outside of a field's range, with its two digits. */
const around = (lowest: number, highest: number, length = 2) =>
  fc
    .oneof(fc.integer({ min: lowest, max: highest }), fc.constantFrom(lowest, highest, highest + 1))
    .map((value) => String(value).padStart(length, "0"))

/** The same by Temporal, which refuses what is out of range. */
function expectedTime(date: string, time: string, offset: string): number | undefined {
  if (date.startsWith("0000")) return undefined
  const [hour, minute, second = "0"] = time.split(":").map((part) => part.replace(",", "."))
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) >= 60) return undefined
  const [hours = "0", minutes = "0"] = offset.replace(/^[+-]/, "").replace(":", "").match(/\d\d/g) ?? []
  if (Number(hours) > 18 || Number(minutes) > 59) return undefined
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${time.replace(",", ".")}`, { overflow: "reject" })
    const shift = (offset.startsWith("-") ? 1 : -1) * (Number(hours) * 60 + Number(minutes))
    const at = local.add({ minutes: shift }).toZonedDateTime("UTC").epochMilliseconds
    return at < earliestInstant || at > latestInstant ? undefined : at
  } catch {
    return undefined
  }
}

test("generated dates and times are read as Temporal reads them, or refused as it refuses them", () => {
  const date = fc.tuple(
    fc.constantFrom("0001", "0099", "0100", "1900", "2000", "2024", "2031", "2100", "9999", "0000"),
    around(0, 12),
    fc.oneof(around(0, 31), fc.constantFrom("28", "29", "30", "31")),
  )
  const time = fc.tuple(
    around(0, 23),
    around(0, 59),
    fc.option(fc.tuple(around(0, 59), fc.constantFrom("", ".5", ",25", ".123456789"))),
  )
  const offset = fc.oneof(
    fc.constantFrom("", "Z", "z"),
    fc
      .tuple(fc.constantFrom("+", "-"), around(0, 18), around(0, 59), fc.constantFrom(":", ""))
      .map(([sign, hours, minutes, colon]) => `${sign}${hours}${colon}${minutes}`),
    fc.tuple(fc.constantFrom("+", "-"), around(0, 18)).map((parts) => parts.join("")),
  )
  fc.assert(
    fc.property(
      date,
      time,
      offset,
      fc.constantFrom("T", " "),
      fc.constantFrom("", " "),
      (day, parts, zone, between, gap) => {
        const [hour, minute, rest] = parts
        const clock = `${hour}:${minute}${rest ? `:${rest.join("")}` : ""}`
        const text = `${day.join("-")}${between}${clock}${zone && `${gap}${zone}`}`
        assert.equal(parseDateTime(text), expectedTime(day.join("-"), clock, zone), text)
        assert.equal(
          parseDate(day.join("-")) !== undefined,
          expectedTime(day.join("-"), "00:00", "") !== undefined,
          text,
        )
        const isTime = expectedTime("2031-05-04", clock, "") !== undefined
        if (!rest || rest[1] === "") assert.equal(parseTime(clock), isTime ? clock : undefined, clock)
      },
    ),
    { numRuns: 3_000 },
  )
})

test("texts of the length of a date and time with other letters between its numbers are refused", () => {
  const plain = "2031-05-04 03:02:01"
  for (const length of [16, 19])
    for (let at = 0; at < length; at += 1)
      for (const letter of ["x", "/", ".", ":", "-", "T"]) {
        const text = `${plain.slice(0, at)}${letter}${plain.slice(at + 1, length)}`
        const isForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d([:+-]\d\d)?$/.test(text)
        assert.equal(parseDateTime(text) !== undefined, isForm, text)
      }
})
