import { loadUnits } from "../loads.ts"
import { groupVisits, linkVisits, pairVisits } from "./bonds.ts"
import { linksOf } from "./links.ts"
import type { Model } from "./model.ts"
import { likelyNeighbours, nearestNeighbours } from "./neighbours.ts"
import { paceOf, progressAt } from "./pace.ts"
import { costsTime, meanUnitCost, tierPrices, timeCosts } from "./prices.ts"
import type { PlanProblem, TimeSpan } from "./problem.ts"
import { vehicleSuits } from "./problem.ts"

/** Neighbours kept per visit; removals seldom look further. */
const neighbourLimit = 300

/** Visits beside which a place is looked for. */
const nearLimit = 20

/** What a visit by another vehicle, or on another day, than the preferred one counts, in mean legs between near visits. */
const meanLegsOfUnpreferred = 4

/** Turns a checked problem (see problem-check.ts) into the arrays of the search. */
export function compile(problem: PlanProblem): Model {
  const { visits, vehicles, dimensions } = problem
  const n = visits.length
  const matrices = nodeMatrices(problem)
  const neighbourCount = Math.min(Math.max(n - 1, 0), neighbourLimit)
  const neighbours = nearestNeighbours(matrices.distance, matrices.nodeCount, n, neighbourCount)
  const nearCount = Math.min(neighbourCount, nearLimit)
  const legScale = meanNearLeg(matrices.distance, matrices.nodeCount, n, neighbours, neighbourCount)

  const windows = visits.map((visit) => visit.windows)
  const times = {
    open: Float64Array.from(windows, (spans) => spans[0]?.[0] ?? Number.NEGATIVE_INFINITY),
    close: Float64Array.from(windows, (spans) => spans.at(-1)?.[1] ?? Number.POSITIVE_INFINITY),
    service: Float64Array.from(visits, (visit) => visit.serviceSeconds),
  }
  const pauses = vehicles.map((vehicle) => vehicle.breaks)
  const pace = paceOf(problem.slowness)
  const releases = visits.map((visit) => visit.releaseTime ?? Number.NEGATIVE_INFINITY)
  const groups = groupVisits(problem)
  const pairs = pairVisits(problem)
  const { hasPairs } = pairs
  const hasTimeCosts = costsTime(problem)
  const links = linkVisits(problem)
  const owners = numberOf(vehicles.map((vehicle) => vehicle.owner ?? vehicle.id))
  const allowed = allowedVehicles(problem)
  const kinds = vehicleKinds(problem, allowed, hasPairs || hasTimeCosts)
  const restrictedLegs = problem.restrictedLegs
  const restrictedSpans = restrictedLegs?.spans ?? []
  const hasRestricted = restrictedSpans.length > 0 && vehicles.some((vehicle) => vehicle.restricted === true)
  const areas = problem.shape?.areas ?? []
  const areaCount = areas.reduce((most, area) => Math.max(most, area + 1), 0)
  const largest = Array.from({ length: dimensions }, (_, c) =>
    vehicles.reduce((most, vehicle) => Math.max(most, finite(vehicle.capacity[c])), 0),
  )
  // Soft terms are in mean legs, so with a cost objective in what such a leg costs.
  const softScale = legScale * (problem.objective.kind === "cost" ? meanUnitCost(problem) : 1)
  const balanceWeight = (problem.shape?.balance ?? "none") === "none" ? 0 : softScale
  const areaWeight = areaCount > 0 ? (problem.shape?.areaWeight ?? 4) * softScale : 0
  const preferredOwner = preferredOwners(problem, owners.numbers)
  const hasPreferences = preferredOwner.some((owner) => owner !== -1)
  const unpreferredWeight = meanLegsOfUnpreferred * softScale
  const ofUnpreferred = hasPreferences ? unpreferredWeight * n : 0
  const softBound = balanceWeight * n * n + areaWeight * areaCount * vehicles.length + ofUnpreferred
  const prices = tierPrices(problem, matrices, softBound, softScale)

  return {
    problem,
    visitCount: n,
    vehicleCount: vehicles.length,
    nodeCount: matrices.nodeCount,
    dimensions,
    maxTrips: vehicles.reduce((most, vehicle) => Math.max(most, vehicle.maxTrips), 1),
    distance: matrices.distance,
    duration: matrices.duration,
    symmetric: matrices.symmetric,

    ...times,
    release: Float64Array.from(releases),
    ...flatten(windows, "windows", "windowStart"),
    demand: Float64Array.from(
      pairs.demands.flatMap((demand) => padded(demand, dimensions, 0).map(loadUnits)),
    ),
    partner: pairs.partner,
    role: pairs.role,
    hasPairs,
    ...links,
    size: Float64Array.from(pairs.demands, (demand) =>
      largest.reduce((sum, most, c) => sum + (most > 0 ? (demand[c] ?? 0) / most : 0), 0),
    ),
    dropCost: Float64Array.from(visits, (visit) => prices.drop(visit.dropCost)),
    mandatory: Uint8Array.from(visits, (visit) => (prices.isMandatory(visit.dropCost) ? 1 : 0)),
    group: groups.group,
    groupMembers: groups.members,
    priority: Int32Array.from(visits, (visit) => visit.priority ?? 0),
    ordered: groups.ordered,

    startNode: Int32Array.from(vehicles, (vehicle) => matrices.hubNode(vehicle.startLocation)),
    endNode: Int32Array.from(vehicles, (vehicle) => matrices.hubNode(vehicle.endLocation)),
    shiftStart: Float64Array.from(vehicles, (vehicle) => vehicle.shift[0]),
    shiftEnd: Float64Array.from(vehicles, (vehicle) => vehicle.shift[1]),
    returnBy: Float64Array.from(vehicles, (vehicle) =>
      vehicle.returnsAfterShift === true ? Number.POSITIVE_INFINITY : vehicle.shift[1],
    ),
    capacity: Float64Array.from(
      vehicles.flatMap((vehicle) =>
        padded(vehicle.capacity, dimensions, Number.POSITIVE_INFINITY).map(loadUnits),
      ),
    ),
    minimumLoad: Float64Array.from(
      vehicles.flatMap((vehicle) => padded(vehicle.minimumLoad, dimensions, 0).map(loadUnits)),
    ),
    tripLimit: Int32Array.from(vehicles, (vehicle) => (vehicle.endLocation === null ? 1 : vehicle.maxTrips)),
    maxDuration: Float64Array.from(vehicles, (vehicle) => vehicle.maxDuration ?? Number.POSITIVE_INFINITY),
    maxDistance: Float64Array.from(vehicles, (vehicle) => vehicle.maxDistance ?? Number.POSITIVE_INFINITY),
    fixedCost: Float64Array.from(vehicles, (vehicle) => prices.vehicle(vehicle)),
    distanceCost: Float64Array.from(vehicles, (vehicle) => vehicle.distanceCost),
    durationFactor: Float64Array.from(vehicles, (vehicle) => vehicle.durationFactor),
    ...timeCosts(problem),
    hasTimeCosts,
    ...flatten(pauses, "pauses", "pauseStart"),
    pace,
    pausesOnRoad: Float64Array.from(pauses.flat(2), (time) => (pace ? progressAt(pace, time) : time)),
    restricted: Uint8Array.from(vehicles, (vehicle) =>
      hasRestricted && vehicle.restricted === true ? 1 : 0,
    ),
    owner: owners.numbers,
    ownerCount: owners.count,
    kind: kinds.kind,
    kindMembers: kinds.members,
    siblings: kinds.siblings,
    hasSiblings: kinds.siblings.some((others) => others.length > 0),
    allowed,

    restrictedLeg: hasRestricted && restrictedLegs ? matrices.legFlags(restrictedLegs.legs) : undefined,
    restrictedSpans: Float64Array.from(restrictedSpans.flat()),

    neighbours,
    neighbourCount,
    nearVisits: likelyNeighbours(
      matrices.distance,
      matrices.nodeCount,
      neighbours,
      neighbourCount,
      nearCount,
      vehicles.reduce((sum, vehicle) => sum + vehicle.durationFactor, 0) / Math.max(1, vehicles.length),
      { duration: matrices.duration, ...times },
    ),
    nearCount,

    balanceWeight,
    share: sharesOf(problem, legScale),
    area: Int32Array.from(visits, (_, i) => areas[i] ?? -1),
    areaCount,
    areaWeight,
    preferredOwner,
    hasPreferences,
    unpreferredWeight,
    shortfallWeight: softScale,
    legScale,

    hasWindows: windows.some((spans) => spans.length > 0),
    timed:
      pace !== undefined ||
      hasRestricted ||
      hasPairs ||
      links.hasLinks ||
      hasTimeCosts ||
      groups.ordered.includes(1) ||
      windows.some((spans) => spans.length > 0) ||
      releases.some((time) => time > 0) ||
      pauses.some((spans) => spans.length > 0) ||
      vehicles.some((vehicle) => Number.isFinite(vehicle.shift[1]) || vehicle.maxDuration !== undefined),
    richTimes:
      pace !== undefined ||
      hasRestricted ||
      windows.some((spans) => spans.length > 1) ||
      pauses.some((spans) => spans.length > 0),
    hasDurationLimit: vehicles.some((vehicle) => vehicle.maxDuration !== undefined),
    hasDistanceLimit: vehicles.some((vehicle) => vehicle.maxDistance !== undefined),
    hasMinimumLoad: vehicles.some((vehicle) => vehicle.minimumLoad.some((load) => load > 0)),
    hasReleases: releases.some((time) => time > 0),
    hasGroups: groups.members.length > 0,
  }
}

/** Matrices by node instead of by location: rows of near visits then lie together, and hubs need no test. */
function nodeMatrices(problem: PlanProblem) {
  const { visits, vehicles, locationCount } = problem
  const hubs = [...new Set(vehicles.flatMap((v) => [v.startLocation, v.endLocation ?? v.startLocation]))]
  const places = [...visits.map((visit) => visit.location), ...hubs]
  const nodeCount = places.length + 1
  const nowhere = places.length
  function byNode(matrix: Float64Array): Float64Array {
    const result = new Float64Array(nodeCount * nodeCount)
    places.forEach((from, row) => {
      const base = row * nodeCount
      places.forEach((to, column) => {
        result[base + column] = matrix[from * locationCount + to] as number
      })
    })
    return result
  }
  const distance = byNode(problem.distances)
  const duration = problem.durations === problem.distances ? distance : byNode(problem.durations)
  return {
    nodeCount,
    distance,
    duration,
    symmetric:
      isSymmetric(distance, nodeCount) && (duration === distance || isSymmetric(duration, nodeCount)),
    hubNode: (location: number | null) =>
      location === null ? nowhere : visits.length + hubs.indexOf(location),
    legFlags(legs: Uint8Array): Uint8Array {
      const result = new Uint8Array(nodeCount * nodeCount)
      places.forEach((from, row) => {
        places.forEach((to, column) => {
          result[row * nodeCount + column] = legs[from * locationCount + to] as number
        })
      })
      return result
    },
  }
}

function isSymmetric(matrix: Float64Array, size: number): boolean {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) if (matrix[i * size + j] !== matrix[j * size + i]) return false
  }
  return true
}

function meanNearLeg(
  distance: Float64Array,
  size: number,
  n: number,
  near: Uint16Array,
  width: number,
): number {
  const ranks = Math.min(width, 5)
  if (ranks === 0) return 1
  let sum = 0
  for (let i = 0; i < n; i++) {
    for (let rank = 0; rank < ranks; rank++) {
      sum += distance[i * size + (near[i * width + rank] as number)] as number
    }
  }
  return Math.max(sum / (n * ranks), 1e-9)
}

/** Time on site and of a drive between near visits, in means of all visits; or all the same. */
function sharesOf(problem: PlanProblem, nearLeg: number): Float64Array {
  const { visits, vehicles, distances, durations } = problem
  if (problem.shape?.balance !== "hours" || visits.length === 0)
    return new Float64Array(visits.length).fill(1)
  const sum = (matrix: Float64Array) => matrix.reduce((total, one) => total + one, 0)
  const pace = durations === distances ? 1 : sum(durations) / Math.max(1, sum(distances))
  const factors = vehicles.map(({ durationFactor }) => durationFactor)
  const drive = (nearLeg * pace * factors.reduce((sum, one) => sum + one, 0)) / Math.max(1, factors.length)
  const times = Float64Array.from(visits, ({ serviceSeconds }) => serviceSeconds + drive)
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return times.map((time) => (mean > 0 ? time / mean : 1))
}

function allowedVehicles({ visits, vehicles }: PlanProblem): Uint8Array {
  const linked = new Set(linksOf(visits).flatMap(({ first, second }) => [first, second]))
  const allowed = new Uint8Array(visits.length * vehicles.length)
  visits.forEach((visit, i) => {
    vehicles.forEach((vehicle, k) => {
      // A day that has to be short moves its visits, which those that wait for them could not follow.
      if (linked.has(i) && vehicle.maxDuration !== undefined) return
      if (vehicleSuits(vehicle, visit)) allowed[i * vehicles.length + k] = 1
    })
  })
  return allowed
}

function preferredOwners({ visits, vehicles }: PlanProblem, owners: Int32Array): Int32Array {
  const ownerOf = new Map(vehicles.map(({ id, owner = id }, k) => [owner, owners[k] ?? -1]))
  return Int32Array.from(visits, ({ preferredVehicleId }) => ownerOf.get(preferredVehicleId ?? "") ?? -1)
}

function vehicleKinds({ visits, vehicles }: PlanProblem, allowed: Uint8Array, isBound: boolean) {
  const ownerUse = new Map<string, number>()
  for (const vehicle of vehicles) {
    const owner = vehicle.owner ?? vehicle.id
    ownerUse.set(owner, (ownerUse.get(owner) ?? 0) + 1)
  }
  const preferred = new Set(visits.map(({ preferredVehicleId }) => preferredVehicleId))
  const labels = vehicles.map((vehicle, k) => {
    const { id, owner, tags: _, capacity, minimumLoad, fixedCost, distanceCost, ...rest } = vehicle
    const isShared = (ownerUse.get(owner ?? id) ?? 0) > 1 || preferred.has(owner ?? id)
    const shared = isShared ? (owner ?? id) : ""
    const column = visits.map((_visit, i) => allowed[i * vehicles.length + k]).join("")
    const day = JSON.stringify([rest, vehicle.shift.map(String), shared, column])
    return {
      day,
      whole: JSON.stringify([day, capacity.map(String), minimumLoad, fixedCost, distanceCost]),
      shared,
    }
  })
  const { numbers, count } = numberOf(labels.map((label) => label.whole))
  const members: number[][] = Array.from({ length: count }, () => [])
  const days: string[] = []
  numbers.forEach((kind, k) => {
    members[kind]?.push(k)
    const label = labels[k]
    // Routes whose loads change on the way, or whose time costs, stay on their vehicle.
    days[kind] = label?.shared === "" && !isBound ? label.day : ""
  })
  const siblings = days.map((day, kind) =>
    Int32Array.from(days.flatMap((other, b) => (other === day && day !== "" && b !== kind ? [b] : []))),
  )
  return { kind: numbers, members: members.map((ks) => Int32Array.from(ks)), siblings }
}

function numberOf(labels: readonly string[]): { numbers: Int32Array; count: number } {
  const seen = new Map<string, number>()
  const numbers = Int32Array.from(labels, (label) => {
    const number = seen.get(label) ?? seen.size
    seen.set(label, number)
    return number
  })
  return { numbers, count: seen.size }
}

function flatten<Spans extends string, Start extends string>(
  lists: readonly (readonly TimeSpan[])[],
  spansKey: Spans,
  startKey: Start,
): Record<Spans, Float64Array> & Record<Start, Int32Array> {
  const start = new Int32Array(lists.length + 1)
  lists.forEach((spans, i) => {
    start[i + 1] = (start[i] ?? 0) + spans.length * 2
  })
  const spans = Float64Array.from(lists.flat(2))
  return { [spansKey]: spans, [startKey]: start } as Record<Spans, Float64Array> & Record<Start, Int32Array>
}

function padded(values: readonly number[], length: number, otherwise: number): number[] {
  return Array.from({ length }, (_, c) => values[c] ?? otherwise)
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0
}
