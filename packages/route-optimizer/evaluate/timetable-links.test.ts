import assert from "node:assert/strict"
import { test } from "node:test"
import { aProblem, aVehicle, aVisit, hour } from "../problem/example-problems.ts"
import type { Vehicle, Visit } from "../problem/problem.ts"
import { timetable } from "./timetable.ts"

/** Each vehicle serves its visits an hour of driving from the hub; the first could begin at 9:00. Hours at which service starts. */
function starts(
  visits: Partial<Visit>[],
  trips: number[][] = visits.map((_, i) => [i]),
  vehicle: Partial<Vehicle> = {},
): number[] {
  const shift = [8 * hour, 20 * hour] as const
  const problem = aProblem(
    [
      [0, 0],
      [36_000, 0],
    ],
    {
      visits: visits.map((visit, i) => aVisit({ id: `v${i}`, location: 1, ...visit })),
      vehicles: trips.map((_, i) => aVehicle({ id: `van ${i}`, shift, ...vehicle })),
    },
  )
  const routes = trips.map((trip, i) => ({ vehicle: i, trips: [trip] }))
  const tables = timetable(problem, { routes, dropped: [] })
  const at = new Map(
    tables.flatMap(({ stops }) => stops.map((stop) => [stop.visit, stop.serviceStart / hour])),
  )
  return visits.map((_, i) => at.get(i) ?? -1)
}
const opens = (from: number, to = 20) => ({ windows: [[from * hour, to * hour] as const] })
const after = (visitId: string, min: number, max?: number) => ({
  after: [
    { visitId, minSeconds: min * hour, ...(max === undefined ? {} : { maxSeconds: max * hour }) },
  ] as const,
})

test("visits of two people start together: the earlier one waits", () => {
  assert.deepEqual(starts([{ ...opens(11), serviceSeconds: hour }, { togetherWith: ["v0"] }]), [11, 11])
  assert.deepEqual(starts([{ serviceSeconds: hour }, { ...opens(11), togetherWith: ["v0"] }]), [11, 11])
})

test("a visit waits for the end of another one, and longer by the gap", () => {
  assert.deepEqual(starts([{ serviceSeconds: 2 * hour }, after("v0", 0)]), [9, 11])
  assert.deepEqual(starts([{ serviceSeconds: 2 * hour }, after("v0", 1.5)]), [9, 12.5])
  assert.deepEqual(starts([{ serviceSeconds: hour }, { ...opens(15), ...after("v0", 1) }]), [9, 15])
})

test("under a longest gap the earlier visit moves towards the later one", () => {
  const first = { serviceSeconds: 0.5 * hour }
  assert.deepEqual(starts([first, { ...opens(15), ...after("v0", 0, 2) }]), [12.5, 15])
  assert.deepEqual(starts([first, { ...opens(11), ...after("v0", 0, 2) }]), [9, 11])
})

test("a chain of links over three vehicles settles, and stops behind a moved one move with it", () => {
  const chain = [{ serviceSeconds: hour }, after("v0", 1), { togetherWith: ["v1"], serviceSeconds: hour }, {}]
  assert.deepEqual(starts(chain, [[0], [1], [2, 3]]), [9, 11, 11, 12])
})

test("a link to a visit that is not served moves nothing", () => {
  assert.deepEqual(starts([{ ...opens(15) }, { togetherWith: ["v0"] }], [[1]]), [-1, 9])
  assert.deepEqual(starts([{ ...opens(15) }, { togetherWith: ["v0"] }], [[0]]), [15, -1])
})

test("links that contradict each other end late instead of never", () => {
  const [first = 0, second = 0] = starts([after("v1", 1), after("v0", 1)])
  assert.ok(first > 20 && second > 20)
})

test("a day that is exactly as long as allowed is punctual; a shorter one uses the late part of a window", () => {
  // Nine to ten is in time, ten to eleven is late; the next customer opens at eleven.
  const visits = [{ ...opens(9, 11), lateness: { seconds: hour, costPerSecond: 1 } }, opens(11, 12)]
  assert.deepEqual(starts(visits, [[0, 1]], { maxDuration: 3 * hour }), [10, 11])
  assert.deepEqual(starts(visits, [[0, 1]], { maxDuration: 2.5 * hour }), [11, 11])
})

/** Begun at 9:00 it takes three hours with the wait in between, begun at 13:00 two. */
const twice = [
  { windows: [[9, 9] as const, [13, 15] as const].map(([from, to]) => [from * hour, to * hour] as const) },
  { windows: [[10, 10] as const, [13, 15] as const].map(([from, to]) => [from * hour, to * hour] as const) },
]

test("a day starts later to be short enough, and not later than its rules allow", () => {
  const day = (more: Partial<Vehicle>) => starts(twice, [[0, 1]], { maxDuration: 2 * hour, ...more })
  assert.deepEqual(day({}), [13, 13])
  assert.deepEqual(day({ maxDuration: 3 * hour }), [9, 10])
  // The later day is back at 14:00.
  const shift = [8 * hour, 13.5 * hour] as const
  assert.deepEqual(day({ shift }), [9, 10])
  assert.deepEqual(day({ shift, returnsAfterShift: true }), [13, 13])
  assert.deepEqual(day({ shift: [8 * hour, 14 * hour] }), [13, 13])
  // A service after the shift is never in time.
  assert.deepEqual(day({ shift: [8 * hour, 12.5 * hour], returnsAfterShift: true }), [9, 10])
})

test("a day that starts later rests in its breaks", () => {
  const served = twice.map((visit) => ({ ...visit, serviceSeconds: 0.25 * hour }))
  const day = (from: number, to: number) =>
    starts(served, [[0, 1]], { maxDuration: 2.5 * hour, breaks: [[from * hour, to * hour]] })
  assert.deepEqual(day(16, 17), [13, 13.25])
  assert.deepEqual(day(11, 12), [13, 13.25])
  // A drive or a stop beside this break would make the day longer, so the drive begins after it.
  assert.deepEqual(day(13.25, 13.5), [14.5, 14.75])
})
