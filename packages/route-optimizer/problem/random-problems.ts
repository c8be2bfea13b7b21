import fc from "fast-check"
import type { PlanProblem, TimeSpan, Vehicle, Visit } from "./problem.ts"

/** Random problems for property tests: small, but with every rule that a plan can break. */

const hour = 3600
const tags = ["cold", "lift", "wide"]

const spans: fc.Arbitrary<TimeSpan[]> = fc
  .uniqueArray(fc.integer({ min: 12, max: 40 }), { minLength: 0, maxLength: 4 })
  .map((halfHours) => {
    const sorted = halfHours.toSorted((a, b) => a - b)
    return sorted.flatMap((from, s): TimeSpan[] => {
      const to = sorted[s + 1]
      return s % 2 === 0 && to !== undefined ? [[(from * hour) / 2, (to * hour) / 2]] : []
    })
  })

function visits(
  count: number,
  locations: number,
  dimensions: number,
  vehicles: number,
): fc.Arbitrary<Visit[]> {
  const visit = fc.record(
    {
      location: fc.nat(locations - 1),
      serviceSeconds: fc.constantFrom(0, 300, 600, 2400),
      windows: fc.oneof(
        { weight: 2, arbitrary: fc.constant<TimeSpan[]>([]) },
        { weight: 2, arbitrary: spans },
      ),
      demand: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: dimensions, maxLength: dimensions }),
      tags: fc.oneof(
        { weight: 5, arbitrary: fc.constant<string[]>([]) },
        { weight: 1, arbitrary: fc.subarray(tags) },
      ),
      vehicleId: fc.nat(vehicles).map((k) => `v${k}`),
      preferredVehicleId: fc.nat(vehicles).map((k) => `v${k}`),
      preferredDays: fc.constantFrom([0], [1], [0, 2]),
      group: fc.constantFrom("g1", "g2"),
      priority: fc.nat(2),
      lateness: fc.constant({ seconds: 1800, costPerSecond: 4 }),
      dropCost: fc.constantFrom(1, 3, 5000, 50_000),
      releaseTime: fc.integer({ min: 6, max: 14 }).map((h) => h * hour),
    },
    { requiredKeys: ["location", "serviceSeconds", "windows", "demand", "tags"] },
  )
  // Most visits are free of pins, groups and releases, or little would ever be planned.
  return fc
    .array(fc.tuple(visit, fc.nat(9), fc.nat(9), fc.nat(9)), { minLength: count, maxLength: count })
    .map((drawn) =>
      drawn.map(
        ([{ vehicleId, preferredVehicleId, preferredDays, group, releaseTime, ...rest }, a, b, c], i) => ({
          ...rest,
          id: `visit ${i}`,
          ...(a === 0 && vehicleId !== undefined ? { vehicleId } : {}),
          ...(a === 1 && preferredVehicleId !== undefined ? { preferredVehicleId } : {}),
          ...(a < 4 && preferredDays !== undefined ? { preferredDays } : {}),
          ...(b < 4 && group !== undefined ? { group } : {}),
          ...(c < 2 && releaseTime !== undefined ? { releaseTime } : {}),
        }),
      ),
    )
}

function vehicles(count: number, locations: number, dimensions: number): fc.Arbitrary<Vehicle[]> {
  const vehicle = fc.record(
    {
      startLocation: fc.nat(locations - 1),
      endLocation: fc.option(fc.nat(locations - 1)),
      shift: fc
        .tuple(fc.integer({ min: 6, max: 9 }), fc.integer({ min: 2, max: 14 }))
        .map(([start, hours]): TimeSpan => [start * hour, (start + hours) * hour]),
      breaks: fc.oneof(
        { weight: 2, arbitrary: fc.constant<TimeSpan[]>([]) },
        { weight: 1, arbitrary: spans },
      ),
      capacity: fc.array(fc.integer({ min: 5, max: 40 }), { minLength: dimensions, maxLength: dimensions }),
      minimumLoad: fc.array(fc.integer({ min: 0, max: 10 }), {
        minLength: dimensions,
        maxLength: dimensions,
      }),
      tags: fc.subarray(tags),
      fixedCost: fc.integer({ min: 0, max: 100 }),
      distanceCost: fc.constantFrom(1, 1, 2),
      durationFactor: fc.constantFrom(3.6 / 25, 3.6 / 40, 0.36),
      maxTrips: fc.constantFrom(1, 1, 3),
      maxDuration: fc.integer({ min: 2, max: 9 }).map((h) => h * hour),
      maxDistance: fc.integer({ min: 10, max: 200 }).map((km) => km * 1000),
      returnsAfterShift: fc.boolean(),
      secondCost: fc.constantFrom(0, 0, 1, 5),
      overtime: fc.constantFrom({ seconds: 0, costPerSecond: 0 }, { seconds: 7200, costPerSecond: 10 }),
      restricted: fc.boolean(),
    },
    {
      requiredKeys: [
        "startLocation",
        "endLocation",
        "shift",
        "breaks",
        "capacity",
        "minimumLoad",
        "tags",
        "fixedCost",
        "distanceCost",
        "durationFactor",
        "maxTrips",
      ],
    },
  )
  return fc
    .array(fc.tuple(vehicle, fc.nat(9), fc.nat(9)), { minLength: count, maxLength: count })
    .map((drawn) =>
      drawn.map(([{ maxDuration, maxDistance, ...rest }, a, b], k) => {
        const start = rest.startLocation
        const open = rest.endLocation === null
        return {
          ...rest,
          id: `v${k}`,
          // Several trips, and breaks that leave some of the shift.
          endLocation: rest.maxTrips > 1 ? start : rest.endLocation,
          maxTrips: open ? rest.maxTrips : rest.maxTrips,
          breaks: rest.breaks.filter(([from, to]) => from > rest.shift[0] || to < rest.shift[1]),
          ...(a < 3 && maxDuration !== undefined ? { maxDuration } : {}),
          ...(b < 3 && maxDistance !== undefined ? { maxDistance } : {}),
        }
      }),
    )
}

/** Up to 14 visits and 5 vehicles; matrices from points, or asymmetric and without the triangle inequality. */
export const randomProblem: fc.Arbitrary<PlanProblem> = fc
  .record({
    visitCount: fc.integer({ min: 1, max: 14 }),
    vehicleCount: fc.integer({ min: 1, max: 5 }),
    locations: fc.integer({ min: 2, max: 12 }),
    dimensions: fc.nat(2),
    isPlane: fc.boolean(),
  })
  .chain(({ visitCount, vehicleCount, locations, dimensions, isPlane }) =>
    fc
      .record({
        visits: visits(visitCount, locations, dimensions, vehicleCount),
        vehicles: vehicles(vehicleCount, locations, dimensions),
        numbers: fc.array(fc.nat(30_000), { minLength: locations ** 2, maxLength: locations ** 2 }),
        legs: fc.array(fc.nat(4), { minLength: locations ** 2, maxLength: locations ** 2 }),
        restrictedSpans: spans,
        objective: fc.constantFrom(
          "weighted" as const,
          "weighted" as const,
          "lexicographic" as const,
          "cost" as const,
        ),
        hasTimeCosts: fc.nat(3),
        useAllVehicles: fc.boolean(),
        balance: fc.constantFrom("none" as const, "visits" as const, "hours" as const),
        areas: fc.array(fc.integer({ min: -1, max: 2 }), { minLength: visitCount, maxLength: visitCount }),
        hasShape: fc.boolean(),
        sharedOwner: fc.boolean(),
        pairs: fc.constantFrom(0, 0, 1, 3),
        links: fc.constantFrom(0, 0, 0, 2, 5),
        slowness: fc.option(fc.array(fc.constantFrom(1, 1, 1.25, 2), { minLength: 24, maxLength: 24 }), {
          nil: undefined,
          freq: 1,
        }),
      })
      .map((drawn): PlanProblem => {
        const distances = Float64Array.from(drawn.numbers, (number, cell) => {
          const i = Math.floor(cell / locations)
          const j = cell % locations
          if (i === j) return 0
          if (!isPlane) return number
          const [ax = 0, ay = 0, bx = 0, by = 0] = [i, i + 1, j, j + 1].map((at) => drawn.numbers[at])
          return Math.round(Math.hypot(ax - bx, ay - by))
        })
        const fleet = drawn.vehicles.map((vehicle, k) =>
          drawn.sharedOwner && k < 2
            ? { ...vehicle, ...nextDay(vehicle, k), owner: "v0", fixedCost: 7 }
            : vehicle,
        )
        const hasTimeCosts = drawn.hasTimeCosts === 0
        return {
          locationCount: locations,
          distances,
          durations: distances,
          ...(drawn.slowness ? { slowness: drawn.slowness } : {}),
          dimensions,
          visits: withLinks(withPairs(drawn.visits, drawn.pairs), drawn.links).map(
            hasTimeCosts ? (visit) => visit : untimedVisit,
          ),
          vehicles: hasTimeCosts ? fleet : fleet.map(untimedVehicle),
          objective:
            drawn.objective === "lexicographic"
              ? { kind: drawn.objective, useAllVehicles: drawn.useAllVehicles }
              : { kind: drawn.objective },
          ...(drawn.hasShape ? { shape: { balance: drawn.balance, areas: drawn.areas } } : {}),
          restrictedLegs: {
            legs: Uint8Array.from(drawn.legs, (leg) => (leg === 0 ? 1 : 0)),
            spans: drawn.restrictedSpans,
          },
        }
      }),
  )

function untimedVisit({ lateness: _, ...visit }: Visit): Visit {
  return visit
}

function untimedVehicle({ secondCost: _, overtime: __, ...vehicle }: Vehicle): Vehicle {
  return vehicle
}

/** Links visits that follow each other and have neither a group nor a pair: gaps, and starts together. */
function withLinks(visits: readonly Visit[], count: number): Visit[] {
  const pickups = new Set(visits.map(({ pickupId }) => pickupId))
  const free = visits.flatMap(({ id, group, pickupId }, i) =>
    group === undefined && pickupId === undefined && !pickups.has(id) ? [i] : [],
  )
  const result = [...visits]
  for (let l = 0; l < Math.min(count, free.length - 1); l++) {
    const [first = 0, second = 0] = [free[l], free[l + 1]]
    const visitId = visits[first]?.id ?? ""
    const visit = result[second]
    if (!visit) continue
    if (l % 3 === 0) result[second] = { ...visit, togetherWith: [visitId] }
    else if (l % 3 === 1) result[second] = { ...visit, after: [{ visitId, minSeconds: 600 }] }
    else result[second] = { ...visit, after: [{ visitId, minSeconds: 0, maxSeconds: 3600 }] }
  }
  return result
}

/** Makes pickup and delivery pairs of visits that follow each other and have no group. */
function withPairs(visits: readonly Visit[], count: number): Visit[] {
  const free = visits.flatMap(({ group }, i) => (group === undefined ? [i] : []))
  const pickupOf = new Map(
    Array.from({ length: Math.min(count, Math.floor(free.length / 2)) }, (_, p) => [
      free[2 * p + 1],
      free[2 * p],
    ]),
  )
  return visits.map((visit, i) => {
    const pickupId = visits[pickupOf.get(i) ?? -1]?.id
    return pickupId === undefined ? visit : { ...visit, pickupId }
  })
}

/** Shifts of one owner follow each other. */
function nextDay(vehicle: Vehicle, day: number): Pick<Vehicle, "shift" | "breaks"> {
  const later = ([from, to]: TimeSpan): TimeSpan => [from + day * 24 * hour, to + day * 24 * hour]
  return { shift: later(vehicle.shift), breaks: vehicle.breaks.map(later) }
}
