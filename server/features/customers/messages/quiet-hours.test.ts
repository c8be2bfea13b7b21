import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { zoneOfCustomer } from "./customer-zone.ts"
import { endOfQuiet } from "./quiet-hours.ts"

const zones = [
  "UTC",
  "Europe/Lisbon",
  "America/New_York",
  "America/Santiago",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
]
const others = [
  "Africa/Casablanca",
  "Asia/Tehran",
  "Pacific/Apia",
  "America/St_Johns",
  "Asia/Gaza",
  "Africa/Cairo",
]
const tehran = Temporal.Instant.from("1977-03-21T19:29:00Z")
const numRuns = process.env.FIELDWAY_LONG ? 200_000 : 600

/** Half of the moments are within two days of a change of the clocks. */
const momentIn = (timeZone: string) =>
  fc
    .tuple(
      fc.integer({ min: 1_000_000, max: 34_000_000 }),
      fc.integer({ min: -2880, max: 2880 }),
      fc.boolean(),
    )
    .map(([minutes, around, isNear]) => {
      const at = Temporal.Instant.fromEpochMilliseconds(minutes * 60_000)
      const change = isNear ? at.toZonedDateTimeISO(timeZone).getTimeZoneTransition("next") : null
      return change ? change.toInstant().add({ minutes: around }) : at
    })
const clockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom("00", "15", "30", "45"))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${minute}`)

test("quiet hours end later, and outside of them, in every zone and on every day, also when clocks change", () => {
  const cases = fc
    .constantFrom(...zones, ...others)
    .chain((zone) =>
      fc.record({ zone: fc.constant(zone), at: momentIn(zone), quietFrom: clockTime, quietTo: clockTime }),
    )
  fc.assert(
    fc.property(cases, ({ zone, at, quietFrom, quietTo }) => {
      const end = endOfQuiet({ quietFrom, quietTo }, zone, at)
      const now = at.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: "minute" })
      const isQuiet =
        quietFrom <= quietTo ? now >= quietFrom && now < quietTo : now >= quietFrom || now < quietTo
      assert.equal(end !== undefined, isQuiet)
      if (!end) return
      assert.ok(Temporal.Instant.compare(end, at) > 0, `${end} is not after ${at}`)
      assert.ok(at.until(end).total("hours") <= 49)
      assert.equal(endOfQuiet({ quietFrom, quietTo }, zone, end), undefined, "the message would wait again")
    }),
    {
      numRuns,
      examples: [
        // Clocks skipped the only hour that was not quiet.
        [{ zone: "Asia/Tehran", at: tehran, quietFrom: "23:30", quietTo: "23:00" }],
      ],
    },
  )
})

test("a customer's time zone is that of the place, and the hub's near its border, at sea and without a place", () => {
  const zone = (lat: number | null, lng: number | null, hub: string) => zoneOfCustomer({ lat, lng }, hub)
  assert.equal(zone(40.7, -74, "Asia/Jakarta"), "America/New_York")
  assert.equal(zone(-2.53, 140.7, "Asia/Jayapura"), "Asia/Jayapura")
  assert.equal(zone(0, 1, "Europe/Lisbon"), "Europe/Lisbon")
  assert.equal(zone(89.99, 180, "Europe/Lisbon"), "Europe/Lisbon")
  assert.equal(zone(null, null, "Europe/Lisbon"), "Europe/Lisbon")
  assert.equal(zoneOfCustomer(undefined, "Europe/Lisbon"), "Europe/Lisbon")
})
