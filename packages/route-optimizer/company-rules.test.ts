import assert from "node:assert/strict"
import { test } from "node:test"
import { plane, rounds } from "./example-requests.ts"
import { planRoutes } from "./plan-routes.ts"
import { aVehicle, aVisit, hour, type Position } from "./problem/example-problems.ts"
import type { Vehicle, Visit } from "./problem/problem.ts"

/** Breaks, days off, preferred vehicles and days of visits. */
const twoAppointments = [
  aVisit({ id: "early", location: 1, serviceSeconds: 3600, windows: [[11 * hour, 11.5 * hour]] }),
  aVisit({ id: "late", location: 1, serviceSeconds: 3600, windows: [[12.5 * hour, 12.75 * hour]] }),
]

test("a break of some minutes is taken where the appointments leave room, and at its fixed time costs one of them", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const plan = (vehicle: Parameters<typeof aVehicle>[0]) =>
    planRoutes(plane(positions, { visits: twoAppointments, vehicles: [aVehicle(vehicle)] }), rounds)
  // In the middle of its span, from 12:15 to 12:45, it would make the second one late.
  const within = [11 * hour, 14 * hour] as const
  const { plan: found, problem } = plan({ flexibleBreaks: [{ within, seconds: 1800 }] })
  assert.deepEqual(found.dropped, [])
  const [pause] = problem.vehicles[0]?.breaks ?? []
  assert.deepEqual(pause && pause[1] - pause[0], 1800)
  assert.ok(pause && pause[0] >= within[0] && pause[1] <= within[1])
  assert.equal(plan({ breaks: [[12.25 * hour, 13 * hour]] }).plan.dropped.length, 1)
  // No half hour is free between the appointments and the end of the span.
  const tight = plan({ flexibleBreaks: [{ within: [11.25 * hour, 13 * hour], seconds: 3600 }] })
  assert.deepEqual(
    tight.dropped.map(({ reason }) => reason),
    ["other"],
  )
})

test("a vehicle with a day off has no work, says so, and working that day would help", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const visits = [aVisit({ location: 1 })]
  const off = planRoutes(plane(positions, { visits, vehicles: [aVehicle({ daysOff: [0] })] }), rounds)
  assert.deepEqual(
    off.dropped.map(({ reason, help }) => [reason, help.map(({ change }) => change.kind)]),
    [["dayOff", ["dayOff"]]],
  )
  assert.deepEqual(
    off.idle.map(({ reason }) => reason),
    ["dayOff"],
  )
  for (const dayStart of ["last visit", "from hub"] as const) {
    const vehicles = [aVehicle({ shift: [8 * hour, 65 * hour], daysOff: [0, 2] })]
    const { timetables } = planRoutes(plane(positions, { visits, vehicles }, { dayStart }), rounds)
    const starts = timetables.flatMap(({ stops }) => stops.map(({ serviceStart }) => serviceStart))
    assert.ok(starts.length > 0 && starts.every((time) => time >= 32 * hour && time <= 41 * hour), dayStart)
  }
})

test("a van without work beside a late visit says that it costs more than the lateness", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const lateness = { seconds: hour, costPerSecond: 1 / 60 }
  const visits = ["first", "second"].map((id) =>
    aVisit({ id, location: 1, serviceSeconds: 1800, windows: [[9 * hour, 10.25 * hour]], lateness }),
  )
  const vehicles = [
    aVehicle({ fixedCost: 10 }),
    aVehicle({ id: "dear", fixedCost: 10_000 }),
    aVehicle({ id: "late too", shift: [9.6 * hour, 17 * hour], fixedCost: 10_000 }),
  ]
  const problem = { visits, vehicles, objective: { kind: "cost" } as const }
  const { idle, plan } = planRoutes(plane(positions, problem), rounds)
  assert.equal(plan.routes.length, 1)
  assert.deepEqual(idle, [
    { owner: "dear", reason: "late" },
    { owner: "late too", reason: "notNeeded" },
  ])
})

test("the preferred vehicle serves a visit for some detour, and another one rather than nobody", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
    [1100, 0],
    [0, 1000],
  ]
  const own = { preferredVehicleId: "second" }
  const visits = [
    aVisit({ id: "near", location: 1 }),
    aVisit({ id: "regular", location: 2, ...own }),
    aVisit({ id: "else", location: 3 }),
  ]
  const objective = { kind: "lexicographic", useAllVehicles: true } as const
  const vehicles = [aVehicle({ id: "first" }), aVehicle({ id: "second" })]
  const drivenBy = (more: Partial<Parameters<typeof plane>[1]>) => {
    const planned = planRoutes(plane(positions, { visits, vehicles, objective, ...more }), rounds)
    const { plan, problem, evaluation } = planned
    const route = plan.routes.find(({ trips }) => trips.flat().includes(1))
    const driver = problem.vehicles[route?.vehicle ?? -1]?.id
    assert.equal(evaluation.unpreferredVehicles, driver === "second" ? 0 : 1)
    return driver
  }
  assert.equal(drivenBy({}), "second")
  assert.equal(drivenBy({ vehicles: vehicles.toReversed() }), "second")
  const away = [vehicles[0] ?? aVehicle(), aVehicle({ id: "second", daysOff: [0] })]
  assert.equal(drivenBy({ vehicles: away }), "first")
})

test("a visit of a plan over several days is served on one of its days", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const visits = [aVisit({ location: 1, days: [2] }), aVisit({ id: "any", location: 1 })]
  const vehicles = [aVehicle({ shift: [8 * hour, 65 * hour] })]
  const { timetables, plan } = planRoutes(plane(positions, { visits, vehicles }), rounds)
  assert.deepEqual(plan.dropped, [])
  const stop = timetables[0]?.stops.find(({ visit }) => visit === 0)
  assert.ok(stop && stop.serviceStart >= 48 * hour)
})

test("visits that recur in a plan over several days keep their distance and their driver", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const twoDays = (visitId: string) => [{ visitId, minSeconds: 36 * hour, maxSeconds: 60 * hour }]
  const recurring = (id: string, before?: string) =>
    aVisit({ id, location: 1, preferredVehicleId: "b", ...(before ? { after: twoDays(before) } : {}) })
  const visits = [recurring("first"), recurring("second", "first"), recurring("third", "second")]
  const vehicles = ["a", "b"].map((id) => aVehicle({ id, shift: [8 * hour, 113 * hour] }))
  const { timetables, plan, problem } = planRoutes(plane(positions, { visits, vehicles }), rounds)
  assert.deepEqual(plan.dropped, [])
  const stops = timetables.flatMap(({ vehicle, stops: all }) =>
    all
      .filter(({ kind }) => kind === "visit")
      .map(({ visit, serviceStart }) => [
        visit,
        problem.vehicles[vehicle]?.owner ?? problem.vehicles[vehicle]?.id,
        Math.floor(serviceStart / (24 * hour)),
      ]),
  )
  assert.deepEqual(
    stops.toSorted(([one], [other]) => Number(one) - Number(other)),
    [
      [0, "b", 0],
      [1, "b", 2],
      [2, "b", 4],
    ],
  )
})

/** From the request's own words: nobody works on a day off, visits are served on their days, and breaks are taken. */

test("work is shared by the number of visits or by hours, whichever is asked for", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const visits = [120, 20, 20, 20, 20, 20, 20].map((minutes, i) =>
    aVisit({ id: `${i}`, location: 1, serviceSeconds: minutes * 60 }),
  )
  const vehicles = [aVehicle({ id: "one" }), aVehicle({ id: "two" })]
  const objective = { kind: "lexicographic", useAllVehicles: true } as const
  const sizes = (fairness: "visits" | "hours") =>
    planRoutes(plane(positions, { visits, vehicles, objective }, { fairness }), rounds)
      .plan.routes.map(({ trips }) => trips.flat().length)
      .toSorted()
  assert.deepEqual(sizes("visits"), [3, 4])
  // The long visit against a few short ones.
  assert.ok((sizes("hours")[0] ?? 9) <= 2)
})

test("a reserve keeps the end of the shifts free, but drops nothing for it", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const visits = Array.from({ length: 16 }, (_, i) =>
    aVisit({ id: `${i}`, location: 1, serviceSeconds: 1800 }),
  )
  const plan = (count: number) => {
    const vehicles = Array.from({ length: count }, (_, k) => aVehicle({ id: `van ${k}` }))
    return planRoutes(plane(positions, { visits, vehicles }, { reserveSeconds: 2 * hour }), rounds)
  }
  const ends = (count: number) =>
    plan(count).timetables.map(({ stops }) => Math.round((stops.at(-1)?.serviceEnd ?? 0) / hour))
  assert.deepEqual(ends(1), [16])
  assert.equal(plan(1).plan.dropped.length, 0)
  assert.ok(ends(2).length === 2 && ends(2).every((end) => end <= 15))
})

test("a reserve reaches a window half an hour before it ends, by a longer way where it has to", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
    [2000, 0],
  ]
  const visits = [
    aVisit({ id: "long", location: 1, serviceSeconds: 3.75 * hour }),
    aVisit({ id: "window", location: 2, windows: [[10 * hour, 12 * hour]] }),
  ]
  const begins = (reserveSeconds: number) => {
    const vehicles = [aVehicle({ endLocation: null })]
    const { plan, timetables } = planRoutes(
      plane(positions, { visits, vehicles }, { reserveSeconds }),
      rounds,
    )
    assert.deepEqual(plan.dropped, [])
    return timetables.flatMap(({ stops }) => stops).find(({ visit }) => visit === 1)?.serviceStart ?? 0
  }
  assert.ok(begins(0) > 11.5 * hour)
  assert.equal(begins(2 * hour), 10 * hour)
})

test("a visit waits for its preferred day, but another day serves it for a detour and rather than nobody", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
    [40_000, 0],
    [40_100, 0],
  ]
  const days = [8 * hour, 65 * hour] as const
  const dayOf = (visits: Partial<Visit>[], vehicle: Partial<Vehicle> = {}, dayStart?: "from hub") => {
    const layers = dayStart ? { dayStart } : {}
    const given = visits.map((visit, i) => aVisit({ id: `${i}`, location: 1, ...visit }))
    const vehicles = [aVehicle({ shift: days, ...vehicle })]
    const planned = planRoutes(plane(positions, { visits: given, vehicles }, layers), rounds)
    assert.deepEqual(planned.plan.dropped, [])
    const stops = planned.timetables.flatMap(({ stops }) => stops)
    const found = given.map((_, i) => {
      const stop = stops.find(({ visit }) => planned.parts[visit]?.parent === i)
      return Math.floor((stop?.serviceStart ?? -1) / (24 * hour))
    })
    return { found, unpreferred: planned.evaluation.unpreferredDays }
  }
  for (const dayStart of [undefined, "from hub"] as const)
    assert.deepEqual(dayOf([{ preferredDays: [2] }, {}], {}, dayStart).found[0], 2)
  // Nobody works on that day, or it is full.
  assert.deepEqual(dayOf([{ preferredDays: [1] }], { daysOff: [1] }, "from hub").unpreferred, 1)
  const long = { serviceSeconds: 5 * hour, preferredDays: [1] }
  const { found, unpreferred } = dayOf([long, long, long])
  assert.deepEqual([found.filter((day) => day === 1).length, unpreferred], [1, 2])
  // A way of 80 km for the visit alone, against one beside another visit on its only day.
  const far = [{ location: 2, days: [0] }, { location: 3, preferredDays: [1] }, ...Array(6).fill({})]
  assert.equal(dayOf(far, {}, "from hub").found[1], 0)
})
