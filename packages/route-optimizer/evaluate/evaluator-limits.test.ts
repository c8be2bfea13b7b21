import assert from "node:assert/strict"
import { test } from "node:test"
import { aProblem, aVehicle, aVisit, hour } from "../problem/example-problems.ts"
import type { Plan, PlanProblem, Vehicle, Visit } from "../problem/problem.ts"
import { evaluate, evaluateRoute, secondsLate } from "./evaluator.ts"
import { type RouteTimetable, type Stop, timetable } from "./timetable.ts"

/**
 * Three visits of 300 s on a line, 100 s apart: at 100, 500 and 900 s after 8:00, back at 1500 s, 6000 m. Each limit is
 * tried half a millisecond and two milliseconds (or millimetres) beyond what the day needs: the first is rounding.
 */
const start = 8 * hour
const [rounding, beyond] = [0.0005, 0.002]
const plan: Plan = { routes: [{ vehicle: 0, trips: [[0, 1, 2]] }], dropped: [] }

function aDay(vehicle: Partial<Vehicle> = {}, visit: Partial<Visit> = {}, rest: Partial<PlanProblem> = {}) {
  const visits = [1, 2, 3].map((location) =>
    aVisit({ location, serviceSeconds: 300, ...(location === 2 ? visit : {}) }),
  )
  const positions = [0, 1000, 2000, 3000].map((x) => [x, 0] as const)
  return aProblem(positions, { visits, vehicles: [aVehicle(vehicle), aVehicle({ id: "spare" })], ...rest })
}
const [day] = timetable(aDay(), plan) as [RouteTimetable]

/** What the day breaks under other rules, with its excess. */
const broken = (problem: PlanProblem, table = day, without: string[] = []) =>
  evaluateRoute(problem, table)
    .filter(({ kind }) => !without.includes(kind))
    .map(({ kind, excess }) => (excess === undefined ? kind : `${kind} ${excess.toFixed(4)}`))
const kept: string[] = []

test("the day is as the comment says", () => {
  assert.deepEqual(
    day.stops.map(({ arrival }) => arrival - start),
    [0, 100, 500, 900, 1500],
  )
  assert.deepEqual(broken(aDay()), kept)
})

test("limits of the vehicle hold to the millisecond and millimetre", () => {
  const shift = (from: number, to: number) => ({ shift: [start + from, start + to] as const })
  for (const [vehicle, expected] of [
    [shift(rounding, 1500 - rounding), kept],
    [shift(beyond, 1500), ["shift"]],
    [shift(0, 1500 - beyond), ["shift 0.0020"]],
    [{ ...shift(0, 1200 - rounding), returnsAfterShift: true }, kept],
    [{ ...shift(0, 1200 - beyond), returnsAfterShift: true }, ["shift 0.0020"]],
    [{ maxDuration: 1500 - rounding }, kept],
    [{ maxDuration: 1500 - beyond }, ["duration 0.0020"]],
    [{ maxDistance: 6000 - rounding }, kept],
    [{ maxDistance: 6000 - beyond }, ["distance 0.0020"]],
    [{ isOff: true }, ["dayOff"]],
    [{ maxTrips: 0 }, ["trips 1.0000"]],
  ] as const)
    assert.deepEqual(broken(aDay(vehicle)), expected, JSON.stringify(vehicle))
  const idle = { ...day, stops: day.stops.filter(({ kind }) => kind !== "visit") }
  assert.ok(!broken(aDay({ isOff: true }), idle).includes("dayOff"), "an empty day off")
})

test("a route without a way home ends with its last visit", () => {
  const open = { ...day, stops: day.stops.slice(0, -1), distance: 3000 }
  assert.deepEqual(broken(aDay({ endLocation: null }), open), kept)
  assert.deepEqual(broken(aDay({ endLocation: null, maxDuration: 1200 - rounding }), open), kept)
  assert.deepEqual(broken(aDay({ endLocation: null, maxDuration: 1200 - beyond }), open), ["duration 0.0020"])
  assert.deepEqual(broken(aDay({ endLocation: null })), ["structure", "structure"])
  assert.deepEqual(broken(aDay(), open), ["structure"])
  assert.deepEqual(broken(aDay({ endLocation: 3 })), ["structure"])
  assert.deepEqual(broken(aDay({ startLocation: 3 })), ["structure"])
  assert.deepEqual(
    evaluateRoute(aDay(), { ...day, vehicle: 9 }).map(({ kind }) => kind),
    ["structure"],
  )
})

test("each trip beyond the allowed ones counts, and a vehicle reloads at its hub", () => {
  const [first, one, ...others] = day.stops as [Stop, Stop, ...Stop[]]
  const reload = (location: number): Stop => ({ ...one, kind: "reload", visit: -1, location })
  const table = (location: number) => ({ ...day, stops: [first, reload(0), reload(location), ...others] })
  const tripsOf = (maxTrips: number, location = 0) =>
    broken(aDay({ maxTrips }), table(location), ["arithmetic"])
  assert.deepEqual(tripsOf(1), ["trips 2.0000"])
  assert.deepEqual(tripsOf(2), ["trips 1.0000"])
  assert.deepEqual(tripsOf(3), kept)
  assert.deepEqual(tripsOf(3, 2), ["structure"])
})

test("windows hold to the millisecond, and the nearest of several counts", () => {
  const windows = (...spans: [number, number][]) =>
    broken(aDay({}, { windows: spans.map(([from, to]) => [start + from, start + to]) }))
  assert.deepEqual(windows([500 + rounding, 600]), kept)
  assert.deepEqual(windows([400, 500 - rounding]), kept)
  assert.deepEqual(windows([500 + beyond, 600]), ["timeWindow 0.0020"])
  assert.deepEqual(windows([400, 500 - beyond]), ["timeWindow 0.0020"])
  assert.deepEqual(windows([100, 200], [480, 490], [900, 910]), ["timeWindow 10.0000"])
  assert.deepEqual(windows([100, 200], [490, 510]), kept)
})

test("nobody serves in a break, and a break of its length lies within its span", () => {
  const service = (from: number, to: number) =>
    broken(aDay({ breaks: [[start + from, start + to]] }), day, ["arithmetic"])
  assert.deepEqual(service(420, 500 + rounding), kept)
  assert.deepEqual(service(420, 500 + beyond), ["break"])
  assert.deepEqual(service(800 - rounding, 880), kept)
  assert.deepEqual(service(800 - beyond, 880), ["break"])
  const flexible = (within: [number, number], seconds: number) => {
    const breaks = [[start + 2000, start + 2600]] as const
    const span = [start + within[0], start + within[1]] as const
    return broken(aDay({ breaks, flexibleBreaks: [{ within: span, seconds }] }))
  }
  assert.deepEqual(flexible([1900, 2700], 600 + rounding), kept)
  assert.deepEqual(flexible([1900, 2700], 600 + beyond), ["break"])
  assert.deepEqual(flexible([2100, 2700], 501), ["break"])
  assert.deepEqual(flexible([1900, 2500], 501), ["break"])
  assert.deepEqual(flexible([2100, 2500], 400), kept)
})

test("a stop whose figures differ from the matrix or from each other is named", () => {
  const tampered = (place: number, change: (stop: Stop) => Partial<Stop>) => {
    const stops = day.stops.map((stop, at) => (at === place ? { ...stop, ...change(stop) } : stop))
    return broken(aDay(), { ...day, stops })
  }
  const arithmetic = ["arithmetic"]
  assert.deepEqual(
    tampered(2, ({ distance }) => ({ distance: distance + beyond })),
    arithmetic,
  )
  for (const sign of [1, -1]) {
    assert.deepEqual(
      tampered(2, ({ travelSeconds }) => ({ travelSeconds: travelSeconds + sign * beyond })),
      arithmetic,
    )
    assert.deepEqual(
      tampered(2, ({ travelSeconds }) => ({ travelSeconds: travelSeconds + sign * rounding })),
      kept,
    )
    assert.deepEqual(
      tampered(2, ({ restSeconds }) => ({ restSeconds: restSeconds + sign * beyond })),
      arithmetic,
    )
    assert.deepEqual(
      tampered(2, ({ restSeconds }) => ({ restSeconds: restSeconds + sign * rounding })),
      kept,
    )
    assert.deepEqual(
      tampered(4, ({ arrival }) => ({ arrival: arrival + sign * rounding })),
      kept,
    )
    assert.deepEqual(
      tampered(4, ({ arrival }) => ({ arrival: arrival + sign * beyond })).slice(0, 1),
      arithmetic,
    )
  }
  assert.deepEqual(
    tampered(2, ({ arrival }) => ({ serviceStart: arrival - beyond })),
    ["arithmetic", "arithmetic"],
  )
  assert.deepEqual(
    tampered(2, ({ arrival }) => ({ serviceStart: arrival - rounding })),
    kept,
  )
  assert.deepEqual(
    tampered(4, ({ serviceEnd }) => ({ departure: serviceEnd - beyond })),
    arithmetic,
  )
  assert.deepEqual(
    tampered(4, ({ serviceEnd }) => ({ departure: serviceEnd - rounding })),
    kept,
  )
  const elsewhere = day.stops.map((stop, at) => (at === 2 ? { ...stop, location: 3 } : stop))
  const messages = evaluateRoute(aDay(), { ...day, stops: elsewhere }).map(({ message }) => message)
  assert.ok(messages.includes("the visit is at the wrong place"))
  const ended = day.stops.map((stop) =>
    stop.kind === "end" ? { ...stop, serviceEnd: stop.arrival - 9 } : stop,
  )
  assert.deepEqual(broken(aDay({ maxDuration: 1499 }), { ...day, stops: ended }), ["duration 1.0000"])
})

test("rest is the part of a break that lies on the leg, and a leg of no time has none", () => {
  const breaks = [[start + 420, start + 480]] as const
  const [rested] = timetable(aDay({ breaks }), plan) as [RouteTimetable]
  assert.deepEqual(broken(aDay({ breaks }), rested), kept)
  assert.deepEqual(
    rested.stops.map(({ restSeconds }) => restSeconds),
    [0, 0, 60, 0, 0],
  )
  assert.deepEqual(broken(aDay({ breaks })), ["arithmetic", "arithmetic"])
  assert.deepEqual(broken(aDay({ breaks: [[start + 300, start + 350]] }), day, ["break"]), kept)
})

test("nobody rests on a leg that takes no time", () => {
  const breaks = [[start + 400, start + 460]] as const
  const problem = aDay({ breaks }, { location: 1 })
  const [table] = timetable(problem, plan) as [RouteTimetable]
  assert.deepEqual(broken(problem, table), kept)
  const stops = table.stops.map((stop, at) =>
    at === 2 ? { ...stop, arrival: stop.arrival + 60, restSeconds: 60 } : stop,
  )
  assert.deepEqual(broken(problem, { ...table, stops }), ["arithmetic", "arithmetic"])
})

test("restricted vehicles keep out of restricted legs in their spans", () => {
  const legs = new Uint8Array(16)
  legs[1 * 4 + 2] = 1
  const driving = (from: number, to: number, restricted = true) =>
    broken(aDay({ restricted }, {}, { restrictedLegs: { legs, spans: [[start + from, start + to]] } }))
  assert.deepEqual(driving(450, 460), ["restricted"])
  assert.deepEqual(driving(450, 460, false), kept)
  assert.deepEqual(driving(0, 400 + rounding), kept)
  assert.deepEqual(driving(0, 400 + beyond), ["restricted"])
  assert.deepEqual(driving(500 - rounding, 900), kept)
  assert.deepEqual(driving(500 - beyond, 900), ["restricted"])
})

test("a plan has each visit once, and a timetable for each of its routes", () => {
  const kinds = (other: Plan, tables: readonly RouteTimetable[] = [day]) =>
    evaluate(aDay(), other, tables).violations.map(({ kind }) => kind)
  assert.deepEqual(kinds(plan), kept)
  assert.deepEqual(kinds(plan, []), ["structure"])
  assert.deepEqual(kinds(plan, [{ ...day, vehicle: 1 }]), ["structure"])
  assert.deepEqual(kinds({ ...plan, dropped: [3] }), ["structure"])
  const twice = { vehicle: 0, trips: [] }
  assert.ok(
    kinds({ ...plan, routes: [...plan.routes, twice] }, [day, { ...day, stops: [] }]).includes("structure"),
  )
  assert.deepEqual(kinds({ ...plan, routes: [{ vehicle: 0, trips: [[1, 0, 2]] }] }), ["structure"])
  assert.deepEqual(kinds(plan, [{ ...day, distance: 6000 + rounding }]), kept)
  assert.deepEqual(kinds(plan, [{ ...day, distance: 6000 + beyond }]), ["arithmetic"])
})

test("a vehicle has one route, and a visit of a group that no timetable has is no failure", () => {
  const twice: Plan = {
    routes: [
      { vehicle: 0, trips: [[0]] },
      { vehicle: 0, trips: [[1, 2]] },
    ],
    dropped: [],
  }
  const messages = (problem: PlanProblem, other: Plan, tables: readonly RouteTimetable[]) =>
    evaluate(problem, other, tables).violations.map(({ message }) => message)
  assert.deepEqual(messages(aDay(), twice, timetable(aDay(), twice)), ["a vehicle has two routes"])
  const visits = aDay().visits.map((visit, priority) => ({ ...visit, group: "g", priority }))
  const grouped = { ...aDay(), visits }
  const [table] = timetable(grouped, plan) as [RouteTimetable]
  for (const missing of [0, 1, 2]) {
    const stops = table.stops.filter(({ visit }) => visit !== missing)
    assert.ok(messages(grouped, plan, [{ ...table, stops }]).includes("a timetable differs from its route"))
  }
})

test("both ends of a pair are served, or none, and a stop at an unknown visit is named", () => {
  const visits = aDay().visits.map((visit, at) => ({
    ...visit,
    ...(at === 1 ? { pickupId: "visit 1" } : {}),
  }))
  const paired = { ...aDay(), visits }
  const kinds = (trip: number[], dropped: number[]) => {
    const other = { routes: [{ vehicle: 0, trips: [trip] }], dropped }
    return evaluate(paired, other, timetable(paired, other)).violations.map(({ kind }) => kind)
  }
  assert.deepEqual(kinds([0, 1, 2], []), kept)
  assert.deepEqual(kinds([2], [0, 1]), kept)
  assert.deepEqual(kinds([0, 2], [1]), ["pair"])
  const stops = day.stops.map((stop, at) => (at === 2 ? { ...stop, visit: 9 } : stop))
  const unknown = evaluate(aDay(), plan, [{ ...day, stops }]).violations
  assert.deepEqual(
    unknown.map(({ kind }) => kind),
    ["structure"],
  )
})

test("time, overtime and lateness cost by the second, and a vehicle once for its owner", () => {
  const costOf = (vehicle: Partial<Vehicle>, visit: Partial<Visit> = {}) =>
    evaluate(aDay({ distanceCost: 0, ...vehicle }, visit), plan, [day]).cost
  assert.equal(costOf({}), 0)
  assert.equal(costOf({ secondCost: 2 }), 3000)
  const overtime = (seconds: number) =>
    costOf({ shift: [start, start + 1600], overtime: { seconds, costPerSecond: 3 } })
  assert.deepEqual([overtime(100), overtime(200)], [0, 300])
  const window: [number, number] = [start, start + 600]
  const lateness = (seconds: number) =>
    costOf({}, { windows: [window], lateness: { seconds, costPerSecond: 5 } })
  assert.deepEqual([lateness(100), lateness(150), lateness(0)], [0, 250, 0])
  const visit = aVisit({
    location: 1,
    windows: [
      [10, 20],
      [30, 40],
    ],
    lateness: { seconds: 5, costPerSecond: 1 },
  })
  assert.deepEqual(
    [15, 16, 20, 20.0005, 20.002, 35, 38, 41].map((at) => Number(secondsLate(visit, at).toFixed(4))),
    [0, 1, 5, 5.0005, 0, 0, 3, 0],
  )
  assert.equal(secondsLate(undefined, 5), 0)
  assert.equal(secondsLate(aVisit({ location: 1, windows: [[-5, 0]] }), 0), 0)
  assert.equal(secondsLate(aVisit({ location: 1, windows: [[-5, 0]] }), 0.001), 0.001)
  const rounded = { windows: [[start, start + 500 - rounding] as const] }
  assert.equal(costOf({ shift: [start, start + 900] }, rounded), 0, "no price for overtime and lateness")
  const owned = aDay({ owner: "o", fixedCost: 7, distanceCost: 0 })
  const both: Plan = {
    routes: [
      { vehicle: 0, trips: [[0, 1]] },
      { vehicle: 1, trips: [[2]] },
    ],
    dropped: [],
  }
  const shared = {
    ...owned,
    vehicles: owned.vehicles.map((vehicle) => ({ ...vehicle, owner: "o", fixedCost: 7, distanceCost: 0 })),
  }
  const { cost, vehicles } = evaluate(shared, both, timetable(shared, both))
  assert.deepEqual([cost, vehicles], [7, 1])
})
