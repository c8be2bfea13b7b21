import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import {
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
  assert.equal(parseTime("25:10"), undefined)
  assert.equal(parseTime("7:05"), "07:05")
})

test("equal dates as bounds mean that whole day, a bound to the second includes its second", () => {
  assert.equal(parseTimeBound("2031-05-04", "from"), Date.parse("2031-05-04T00:00:00Z"))
  assert.equal(parseTimeBound("2031-05-04", "to"), Date.parse("2031-05-04T23:59:59.999Z"))
  assert.equal(parseTimeBound("2031-05-04 03:02:01", "to"), Date.parse("2031-05-04T03:02:01.999Z"))
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
