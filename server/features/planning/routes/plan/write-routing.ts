import type { Echelon } from "../../../../../packages/route-optimizer/cross-dock.ts"
import type { DropReason } from "../../../../../packages/route-optimizer/evaluate/reasons.ts"
import type { DroppedVisit, PlannedRoutes } from "../../../../../packages/route-optimizer/plan-routes.ts"
import { isRestrictedOn } from "../../../../../packages/route-optimizer/problem/odd-even.ts"
import type { VisitPart } from "../../../../../packages/route-optimizer/search/split.ts"
import { describeHelp } from "../adjust/describe-help.ts"
import { extras, nodesOf, type TimedRoutes, vehicleRoute } from "../adjust/route-nodes.ts"
import type { Dropped, Routing, VehicleRoute, WireHelp } from "../result-schemas.ts"
import { withPlannedBreak } from "./breaks.ts"
import type { BuiltProblem } from "./build-problem.ts"
import { unplannableReason } from "./pairs.ts"
import type { PlanOutcome } from "./plan-in-worker.ts"
import type { InputVisit, RunInput } from "./run-input.ts"

/** The plan as results have it: every vehicle of the run, with or without work, and what was left out. */
export function writeRouting(input: RunInput, built: BuiltProblem, outcome: PlanOutcome): Routing {
  const unplannable = built.unplannable.flatMap((i) => droppedEntry(input, i, unplannableOf(input, i)))
  if (outcome.kind === "routes") {
    const timed = timedRoutes(input, built, outcome.planned)
    return {
      routing: input.vehicles.map((vehicle) =>
        explained(
          vehicleRoute(
            withPlannedBreak(vehicle, timed.problem),
            nodesOf(input, vehicle, timed),
            built.dimensions,
            isRestricted(input, vehicle),
          ),
          outcome.planned.idle,
        ),
      ),
      dropped: inOrder([...unplannable, ...droppedOf(input, built, outcome.planned)]),
    }
  }
  if (outcome.kind === "order") throw new Error("An order of visits is not a plan")
  const { first, second, handovers, dropped } = outcome.planned
  const echelons = [first, second].flatMap((echelon) => echelon ?? [])
  const timed = echelons.map((echelon) => timedEchelon(input, built, echelon, handovers))
  const reasons = new Map(
    echelons.flatMap((echelon) =>
      echelon.dropped.map(({ visit, reason }) => [requestVisit(echelon, visit), reason] as const),
    ),
  )
  return {
    routing: input.vehicles.map((vehicle) =>
      vehicleRoute(
        timed.reduce((placed, { problem }) => withPlannedBreak(placed, problem), vehicle),
        timed.flatMap((echelon) => nodesOf(input, vehicle, echelon)),
        built.dimensions,
        isRestricted(input, vehicle),
      ),
    ),
    dropped: inOrder([
      ...unplannable,
      ...dropped.flatMap((i) => droppedEntry(input, built.visitIndices[i] ?? -1, reasons.get(i) ?? "other")),
    ]),
  }
}

/** A vehicle without work says why. */
function explained(route: VehicleRoute, idle: PlannedRoutes["idle"]): VehicleRoute {
  const found = idle.find(({ owner }) => owner === route.vehicleId)
  return found && route.trips.length === 0 ? { ...route, idleReason: found.reason } : route
}

export function isRestricted(input: RunInput, vehicle: { oddEven: "odd" | "even" | null }): boolean {
  return (
    input.settings.useOddEven &&
    input.zone.length > 0 &&
    isRestrictedOn(vehicle.oddEven ?? undefined, input.routingDate)
  )
}

export function timedRoutes(
  input: RunInput,
  built: BuiltProblem,
  planned: Pick<PlannedRoutes, "problem" | "timetables" | "parts">,
): TimedRoutes {
  return {
    problem: planned.problem,
    timetables: planned.timetables,
    dimensions: built.dimensions,
    visitOf: (index) => inputVisit(input, built, planned.parts[index]),
    partOf: (index) => planned.parts[index],
  }
}

function timedEchelon(
  input: RunInput,
  built: BuiltProblem,
  echelon: Echelon,
  handovers: readonly { id: string; subHub: number; visits: readonly number[] }[],
): TimedRoutes {
  return {
    ...timedRoutes(input, built, echelon),
    visitOf: (index) => {
      const visit = requestVisit(echelon, index)
      return visit < 0 ? undefined : input.visits[built.visitIndices[visit] ?? -1]
    },
    handoverOf: (index) => {
      if (requestVisit(echelon, index) >= 0) return undefined
      const id = echelon.problem.visits[index]?.id ?? ""
      const handover = handovers.find((other) => id === other.id || id.startsWith(`${other.id}#`))
      const subHub = handover && input.subHubs[handover.subHub]
      if (!handover || !subHub) return undefined
      const visitIds = handover.visits.flatMap((i) => input.visits[built.visitIndices[i] ?? -1]?.id ?? [])
      return { subHubId: subHub.id, coordinate: subHub.coordinate, visitIds }
    },
  }
}

function requestVisit(echelon: Echelon, index: number): number {
  return echelon.requestVisits[echelon.parts[index]?.parent ?? -1] ?? -1
}

function inputVisit(
  input: RunInput,
  built: BuiltProblem,
  part: VisitPart | undefined,
): InputVisit | undefined {
  return input.visits[built.visitIndices[part?.parent ?? -1] ?? -1]
}

function droppedOf(input: RunInput, built: BuiltProblem, planned: PlannedRoutes): Dropped[] {
  return planned.dropped.flatMap((dropped: DroppedVisit) => {
    const part = planned.parts[dropped.visit]
    const index = built.visitIndices[part?.parent ?? -1] ?? -1
    const help = dropped.help.map(({ change }) =>
      describeHelp(input, planned.problem, built.dimensions, change, dropped.visit),
    )
    const split =
      part && part.count > 1
        ? {
            splitNumber: `${part.number}/${part.count}`,
            capacity: Object.fromEntries(
              built.dimensions.map((name, c) => [
                name,
                planned.problem.visits[dropped.visit]?.demand[c] ?? 0,
              ]),
            ),
          }
        : undefined
    const isOutdated = dropped.reason === "tags" && lacksValidSkill(input, input.visits[index])
    return droppedEntry(input, index, isOutdated ? "skill" : dropped.reason, help, split)
  })
}

/** Why a visit of the input took no part in the search. */
export function unplannableOf(input: RunInput, index: number): ReasonCode {
  const visit = input.visits[index]
  return (visit && unplannableReason(input, visit)) ?? "invalid"
}

export type ReasonCode = DropReason | "coordinate" | "invalid" | "skill"

const tagsReason = "No vehicle with matching tags"
const otherReason = "Dropped due to constraint"
const reasons: Partial<Record<ReasonCode, string>> = {
  skill: "No vehicle has a certificate that is valid on the day of the plan",
  dayOff: "Who could serve it has a day off",
  duration: "It takes longer than the maximum duration of the routes that could serve it",
  distance: "It is farther away than the maximum distance of the routes that could serve it",
  noRoad: "No road on the map leads to it",
  link: "Its times, or those of a visit that it waits for or is served together with, cannot be kept",
  pair: "The other end of its pickup and delivery pair cannot be served",
}

/** Whether some vehicle would have all tags, if its certificates were valid on the day. */
function lacksValidSkill(input: RunInput, visit: InputVisit | undefined): boolean {
  if (!visit || visit.assignedVehicleId !== undefined) return false
  return input.vehicles.some(({ id, tags, skills = [] }) => {
    const known = new Set([...tags, id, ...skills.map(({ name }) => name.trim())])
    return visit.tags.every((tag) => known.has(tag))
  })
}

/** A visit that is not on any vehicle, with what was known of it. */
export function droppedEntry(
  input: RunInput,
  index: number,
  reasonCode: ReasonCode,
  help: WireHelp[] = [],
  split?: { splitNumber: string; capacity: Record<string, number> },
): Dropped[] {
  const visit = input.visits[index]
  if (!visit) return []
  const capacity = split?.capacity ?? visit.capacity
  return [
    {
      id: visit.id,
      name: visit.name,
      visitId: visit.id,
      visitName: visit.name,
      address: visit.address,
      coordinate: visit.coordinate,
      timeWindow: visit.timeWindow,
      ...(visit.timeWindows ? { timeWindows: visit.timeWindows } : {}),
      visitTime: visit.givenVisitTime ?? visit.visitTime,
      capacity,
      ...Object.fromEntries(input.settings.capacityConstraint.map((name) => [name, capacity[name] ?? 0])),
      tags: [...visit.tags],
      ...extras(visit),
      ...(split ? { splitNumber: split.splitNumber } : {}),
      orderNumber: index,
      isHub: false,
      reason: visit.invalid ?? (reasonCode === "tags" ? tagsReason : (reasons[reasonCode] ?? otherReason)),
      reasonCode,
      ...(help.length > 0 ? { help } : {}),
    },
  ]
}

function inOrder(dropped: readonly Dropped[]): Dropped[] {
  return dropped.toSorted((a, b) => Number(a.orderNumber) - Number(b.orderNumber))
}
