import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { millisecondsPerMinute } from "./calendar.ts"
import { temporalInstant } from "./testing/oracle.ts"
import { utcClock, type WallClock, wallClockOf } from "./time-zone.ts"

function clockOf(timeZone: string): WallClock {
  const clock = wallClockOf(timeZone)
  assert.ok(clock, timeZone)
  return clock
}

function wallMinuteOf(wall: string): number {
  return Date.parse(`${wall}:00Z`) / millisecondsPerMinute
}

const wallTimes: readonly [timeZone: string, wall: string, instant: string, why: string][] = [
  ["Asia/Jakarta", "2027-05-01T09:00", "2027-05-01T02:00Z", "no clock changes"],
  ["Asia/Kathmandu", "2027-05-01T00:00", "2027-04-30T18:15Z", "three quarters of an hour"],
  ["Europe/Berlin", "2027-03-28T01:59", "2027-03-28T00:59Z", "the minute before the gap"],
  ["Europe/Berlin", "2027-03-28T02:00", "2027-03-28T01:00Z", "the first minute of the gap"],
  ["Europe/Berlin", "2027-03-28T02:30", "2027-03-28T01:00Z", "inside the gap"],
  ["Europe/Berlin", "2027-03-28T03:00", "2027-03-28T01:00Z", "the first minute after the gap"],
  ["Europe/Berlin", "2027-10-31T01:59", "2027-10-30T23:59Z", "the minute before the doubled hour"],
  ["Europe/Berlin", "2027-10-31T02:30", "2027-10-31T00:30Z", "doubled: the first pass"],
  ["Europe/Berlin", "2027-10-31T03:00", "2027-10-31T02:00Z", "the minute after the doubled hour"],
  ["Australia/Lord_Howe", "2027-10-03T02:15", "2027-10-02T15:30Z", "a gap of half an hour"],
  ["Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45Z", "a doubled half hour"],
  ["America/Nuuk", "2027-03-27T23:30", "2027-03-28T01:00Z", "a gap that ends at midnight"],
  ["Asia/Beirut", "2027-03-28T00:10", "2027-03-27T22:00Z", "a gap that starts at midnight"],
  ["Pacific/Apia", "2011-12-30T09:00", "2011-12-30T10:00Z", "a whole day that was skipped"],
  ["Africa/Monrovia", "1972-01-07T00:10", "1972-01-07T00:45Z", "an offset with seconds"],
]

for (const [timeZone, wall, instant, why] of wallTimes) {
  test(`${wall} in ${timeZone} is ${instant} (${why})`, () => {
    assert.equal(clockOf(timeZone).toInstant(wallMinuteOf(wall)), Date.parse(instant))
  })
}

test("a clock shows the wall time of an instant in both passes of a doubled hour", () => {
  const berlin = clockOf("Europe/Berlin")
  for (const instant of ["2027-10-31T00:30Z", "2027-10-31T01:30Z"]) {
    assert.equal(berlin.toWallMinute(Date.parse(instant)), wallMinuteOf("2027-10-31T02:30"))
  }
})

test("every time zone of this system agrees with Temporal, clock changes included", () => {
  const zones = Intl.supportedValuesOf("timeZone")
  const around = fc.integer({ min: -90, max: 90 })
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 1975, max: 2080 }),
      around,
      (timeZone, year, shift) => {
        const start = Temporal.ZonedDateTime.from(`${year}-02-01T12:00[${timeZone}]`)
        const change = start.getTimeZoneTransition("next") ?? start
        const wall = change.toPlainDateTime().add({ minutes: shift })
        const wallMinute = wallMinuteOf(wall.toString({ smallestUnit: "minute" }).slice(0, 16))
        const clock = clockOf(timeZone)
        assert.equal(clock.toInstant(wallMinute), temporalInstant(wallMinute, timeZone).at)
        const instant = change.epochMilliseconds + shift * millisecondsPerMinute
        const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
        assert.equal(
          clock.toWallMinute(instant),
          wallMinuteOf(shown.toPlainDateTime().toString({ smallestUnit: "minute" })),
        )
      },
    ),
    { numRuns: 2000 },
  )
})

test("the names of UTC cost nothing, and names are not case sensitive", () => {
  for (const name of ["UTC", "utc", "Etc/UTC", "GMT"]) assert.equal(wallClockOf(name), utcClock)
  const noon = wallMinuteOf("2027-07-01T12:00")
  assert.equal(clockOf("asia/jakarta").toInstant(noon), clockOf("Asia/Jakarta").toInstant(noon))
})

test("what is no time zone has no clock", () => {
  for (const name of ["Mars/Olympus", "+07:00", "", "UTC+7", "Asia/Jakarta ", "__proto__"]) {
    assert.equal(wallClockOf(name), undefined, name)
  }
})

test("seconds do not move the minute that a clock shows", () => {
  for (const timeZone of ["UTC", "Europe/Berlin", "Asia/Kathmandu"]) {
    const clock = clockOf(timeZone)
    for (const instant of ["2027-10-31T01:30:00Z", "1969-12-31T23:58:00Z"].map((text) => Date.parse(text))) {
      for (const seconds of [1, 30, 59.999])
        assert.equal(clock.toWallMinute(instant + seconds * 1000), clock.toWallMinute(instant))
      assert.equal(clock.toWallMinute(instant + 60_000), clock.toWallMinute(instant) + 1)
    }
  }
})
