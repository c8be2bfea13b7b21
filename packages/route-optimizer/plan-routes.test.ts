import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { plane, request, rounds } from "./example-requests.ts"
import type { PlannedRoutes, PlanRequest } from "./plan-routes.ts"
import { planRoutes, UnplannableError } from "./plan-routes.ts"
import { aDayOfSixty, aVehicle, aVisit, hour, type Position } from "./problem/example-problems.ts"
import type { PlanProblem, TimeSpan, Vehicle } from "./problem/problem.ts"
import { randomProblem } from "./problem/random-problems.ts"

test("a day of sixty visits is planned whole, on the fewest vehicles that carry it", () => {
  const problem = aDayOfSixty()
  const load = problem.visits.reduce((sum, visit) => sum + (visit.demand[0] ?? 0), 0)
  const { evaluation } = planRoutes(request(problem), rounds)
  assert.equal(evaluation.dropped, 0)
  assert.equal(evaluation.vehicles, Math.ceil(load / 30))
})

test("with use-all-vehicles every vehicle that can work does", () => {
  const problem = { ...aDayOfSixty(), objective: { kind: "lexicographic", useAllVehicles: true } as const }
  assert.equal(planRoutes(request(problem), rounds).evaluation.vehicles, 20)
})

test("visits of a place follow each other with auto-merge", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
    [2000, 0],
  ]
  const visits = [1, 2, 1, 2, 1, 2].map((location, i) => aVisit({ id: `${i}`, location, serviceSeconds: 60 }))
  const { plan, problem } = planRoutes(
    plane(positions, { visits, vehicles: [aVehicle()] }, { autoMerge: true }),
    rounds,
  )
  const places = plan.routes[0]?.trips[0]?.map((i) => problem.visits[i]?.location)
  assert.ok(
    [
      [1, 1, 1, 2, 2, 2],
      [2, 2, 2, 1, 1, 1],
    ].some((order) => order.join() === places?.join()),
  )
})

test("visits of a place that follow each other in the afternoon keep a day short enough", () => {
  // Apart, the first would be served in the morning and the second would wait for noon.
  const positions: Position[] = [
    [0, 0],
    [30_000, 0],
  ]
  const at = (from: number, to: number) => [from * hour, to * hour] as const
  const visits = [
    aVisit({ id: "long", location: 1, serviceSeconds: 1800, windows: [at(6, 9), at(12, 13)] }),
    aVisit({ id: "noon", location: 1, windows: [at(6, 6.5), at(12, 13)] }),
  ]
  const vehicles = [aVehicle({ shift: [6 * hour, 14 * hour], endLocation: null, maxDuration: 2 * hour })]
  const { plan, evaluation } = planRoutes(plane(positions, { visits, vehicles }, { autoMerge: true }), rounds)
  assert.deepEqual(plan.dropped, [])
  assert.deepEqual(evaluation.violations, [])
})

test("a split visit is served by several vehicles", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
  ]
  const visits = [aVisit({ location: 1, demand: [25] })]
  const vehicles = ["a", "b", "c"].map((id) => aVehicle({ id, capacity: [10] }))
  const { plan, parts } = planRoutes(
    plane(positions, { visits, vehicles }, { autoSplit: "maximize" }),
    rounds,
  )
  assert.equal(plan.routes.length, 3)
  assert.deepEqual(
    parts.map(({ number, count }) => `${number}/${count}`),
    ["1/3", "2/3", "3/3"],
  )
})

test("balanced clustering shares the visits evenly", () => {
  const problem = { ...aDayOfSixty(), dimensions: 0 }
  const free = {
    ...problem,
    visits: problem.visits.map((visit) => ({ ...visit, demand: [] })),
    vehicles: problem.vehicles.slice(0, 4),
    objective: { kind: "lexicographic", useAllVehicles: true } as const,
  }
  const { plan } = planRoutes(request(free, { clustering: "balanced" }), rounds)
  assert.deepEqual(
    plan.routes.map(({ trips }) => trips.flat().length),
    [15, 15, 15, 15],
  )
})

test("vehicles keep to areas of their own with non-overlap", () => {
  // Two towns on either side of the hub, and vehicles that each could serve half of both.
  const positions: Position[] = [[0, 0]]
  for (let i = 0; i < 10; i++) positions.push([i % 2 === 0 ? -5000 : 5000, i * 10])
  const visits = positions.slice(1).map((_, i) => aVisit({ location: i + 1, demand: [1] }))
  const vehicles = ["a", "b"].map((id) => aVehicle({ id, capacity: [6] }))
  const { plan, problem } = planRoutes(
    plane(positions, { visits, vehicles }, { clustering: "non-overlap" }),
    rounds,
  )
  for (const { trips } of plan.routes) {
    assert.equal(new Set(trips.flat().map((i) => (problem.visits[i]?.location ?? 0) % 2)).size, 1)
  }
})

test("work that does not fit one day goes on the next, from the hub or from the last visit", () => {
  const positions: Position[] = [
    [0, 0],
    [10_000, 0],
  ]
  const visits = Array.from({ length: 4 }, (_, i) =>
    aVisit({ id: `${i}`, location: 1, serviceSeconds: 3 * hour }),
  )
  const vehicles = [aVehicle({ shift: [8 * hour, 41 * hour] })]
  for (const dayStart of ["from hub", "last visit"] as const) {
    const { plan, evaluation, timetables } = planRoutes(
      plane(positions, { visits, vehicles }, { dayStart }),
      rounds,
    )
    assert.equal(plan.dropped.length, 0)
    assert.equal(evaluation.vehicles, 1)
    // From the hub: out and rest, then out and back. From the last visit: out and back once.
    assert.equal(evaluation.distance, dayStart === "from hub" ? 30_000 : 20_000)
    for (const { stops } of timetables) {
      for (const { kind, serviceStart, serviceEnd } of stops) {
        if (kind === "visit")
          assert.ok(serviceStart % (24 * hour) >= 8 * hour && serviceEnd % (24 * hour) <= 17 * hour)
      }
    }
  }
})

test("what cannot be served is dropped with its reason, and the rest is planned", () => {
  const positions: Position[] = [
    [0, 0],
    [1000, 0],
    [900_000, 0],
  ]
  const visits = [
    aVisit({ id: "near", location: 1, demand: [1] }),
    aVisit({ id: "cold", location: 1, demand: [1], tags: ["cold"] }),
    aVisit({ id: "big", location: 1, demand: [9] }),
    aVisit({ id: "impossible window", location: 1, demand: [0], windows: [[10 * hour, 9 * hour]] }),
    aVisit({ id: "at sea", location: 2, demand: [0] }),
    aVisit({
      id: "many windows",
      location: 1,
      windows: [
        [9, 8],
        [16, 18],
        [8, 12],
        [11, 17],
      ].map(([from = 0, to = 0]) => [from * hour, to * hour] as const),
    }),
    aVisit({ id: "pinned elsewhere", location: 1, demand: [0], vehicleId: "nobody" }),
    ...[1, 2].map((i) => aVisit({ id: `group ${i}`, location: 1, demand: [3], group: "large" })),
  ]
  const { plan, dropped, problem } = planRoutes(
    plane(positions, { visits, vehicles: [aVehicle({ capacity: [5] })] }),
    rounds,
  )
  assert.deepEqual(plan.routes.flatMap(({ trips }) => trips.flat()).toSorted(), [0, 5])
  assert.deepEqual(
    dropped.map(({ visit, reason }) => [problem.visits[visit]?.id, reason]),
    [
      ["cold", "tags"],
      ["big", "capacity"],
      ["impossible window", "timeWindow"],
      ["at sea", "timeWindow"],
      ["pinned elsewhere", "tags"],
      ["group 1", "group"],
      ["group 2", "group"],
    ],
  )
})

test("a problem that makes no sense is refused with what is wrong", () => {
  const good = aDayOfSixty()
  const [visit, ...others] = good.visits
  const [vehicle] = good.vehicles
  assert.ok(visit && vehicle)
  const shift = vehicle.shift
  const bad: [RegExp, PlanProblem][] = [
    [/no vehicles/, { ...good, vehicles: [] }],
    [/no visits/, { ...good, visits: [] }],
    [/at most 2000 visits/, { ...good, visits: Array.from({ length: 2001 }, () => visit) }],
    [/demand is negative/, { ...good, visits: [{ ...visit, demand: [-1] }, ...others] }],
    [/location is not in the matrix/, { ...good, visits: [{ ...visit, location: 99 }] }],
    [
      /negative or not a number/,
      { ...good, distances: good.distances.map((_, i) => (i === 3 ? Number.NaN : 1)) },
    ],
    [/break covers the whole working time/, { ...good, vehicles: [{ ...vehicle, breaks: [shift] }] }],
    [/speed is not above zero/, { ...good, vehicles: [{ ...vehicle, durationFactor: 0 }] }],
  ]
  for (const [message, problem] of bad) {
    assert.throws(
      () => planRoutes(request(problem), rounds),
      (error) => error instanceof UnplannableError && message.test(error.message),
    )
  }
})

test("visits at one spot, a lone visit and a fractional demand are planned", () => {
  const spot: Position[] = [[0, 0]]
  const visits = Array.from({ length: 30 }, (_, i) => aVisit({ id: `${i}`, location: 0, demand: [0.1] }))
  const many = planRoutes(plane(spot, { visits, vehicles: [aVehicle({ capacity: [3] })] }), rounds)
  assert.equal(many.evaluation.dropped, 0)
  const [lone] = visits
  assert.ok(lone)
  const one = planRoutes(plane(spot, { visits: [lone], vehicles: [aVehicle({ capacity: [3] })] }), rounds)
  assert.deepEqual(one.plan.routes, [{ vehicle: 0, trips: [[0]] }])
})

function checkDaysAndBreaks({ problem: { visits, vehicles } }: PlanRequest, result: PlannedRoutes) {
  for (const table of result.timetables) {
    const planned = result.problem.vehicles[table.vehicle]
    const ids = [planned?.id, planned?.id.replace(/@\d+$/, "")]
    const sent = vehicles.find(({ id }) => ids.includes(id))
    assert.ok(sent && planned)
    const stops = table.stops.filter(({ kind }) => kind === "visit")
    for (const { visit, serviceStart, serviceEnd } of stops) {
      const day = Math.floor((serviceStart - sent.shift[0]) / (24 * hour))
      assert.ok(!sent.daysOff?.includes(day), `works on day ${day}`)
      const { days } = visits[result.parts[visit]?.parent ?? -1] ?? {}
      assert.ok(days === undefined || days.includes(Math.floor(serviceStart / (24 * hour))))
      for (const { within, seconds } of planned.flexibleBreaks ?? []) {
        const pauses: readonly TimeSpan[] = planned.breaks.filter(
          ([from, to]) => to > within[0] && from < within[1],
        )
        const isFree = pauses.some(([from, to]) => {
          const start = Math.max(from, within[0])
          const end = Math.min(to, within[1])
          return end - start >= seconds && (serviceEnd <= start || serviceStart >= end)
        })
        assert.ok(isFree, "no break of its length beside the visits")
      }
    }
  }
}

test("no combination of layers produces a plan that breaks a rule or omits a visit", () => {
  const options = fc.record({
    autoSplit: fc.constantFrom("none", "equal", "maximize"),
    autoMerge: fc.boolean(),
    clustering: fc.constantFrom("none", "normal", "balanced", "non-overlap"),
    dayStart: fc.constantFrom("last visit", "from hub"),
    extraDays: fc.nat(2),
    breaks: fc.array(
      fc.option(
        fc.tuple(
          fc.integer({ min: 5, max: 20 }),
          fc.integer({ min: 1, max: 8 }),
          fc.double({ min: 0, max: 1, noNaN: true }),
        ),
        { freq: 2 },
      ),
      { minLength: 5, maxLength: 5 },
    ),
    daysOff: fc.array(fc.subarray([0, 1, 2]), { minLength: 3, maxLength: 3 }),
    days: fc.array(fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { freq: 3 }), {
      minLength: 14,
      maxLength: 14,
    }),
  })
  fc.assert(
    fc.property(randomProblem, options, ({ shape: _, ...problem }, drawn) => {
      const { extraDays, breaks, daysOff, days, ...layers } = drawn
      const vehicles = problem.vehicles.map((vehicle, k): Vehicle => {
        const [start, end] = vehicle.shift
        const [from = 0, hours = 0, share = 0] = breaks[k] ?? []
        const off = daysOff[k]
        return {
          ...vehicle,
          ...(k === 2 ? { shift: [start, end + extraDays * 24 * hour] } : {}),
          ...(breaks[k]
            ? {
                flexibleBreaks: [
                  {
                    within: [from * hour, (from + hours) * hour],
                    seconds: Math.max(1, Math.floor(share * hours * hour)),
                  },
                ],
              }
            : {}),
          ...(off && off.length > 0 ? { daysOff: off } : {}),
        }
      })
      const visits = problem.visits.map((visit, i) => {
        const own = extraDays > 0 && vehicles.length > 2 ? days[i] : undefined
        return own ? { ...visit, days: own } : visit
      })
      const sent = request({ ...problem, visits, vehicles }, layers)
      // planRoutes itself throws for a plan that the evaluator objects to.
      const result = planRoutes(sent, { seed: 1, budget: { rounds: 30 } })
      const { plan, parts } = result
      checkDaysAndBreaks(sent, result)
      const planned = [...plan.routes.flatMap(({ trips }) => trips.flat()), ...plan.dropped]
      assert.equal(new Set(planned.map((i) => parts[i]?.parent)).size, problem.visits.length)
    }),
    { numRuns: process.env.FIELDWAY_LONG === "1" ? 20_000 : 150 },
  )
})
