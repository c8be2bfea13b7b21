import { type Static, Type } from "typebox"
import { parseClock } from "../clock-time.ts"
import type { RouteNode, Routing } from "../result-schemas.ts"
import type { ReplannedPlan } from "./replan-plan.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

/** What would change, for people who decide. */
export const ProposalChanges = Type.Object(
  {
    summary: Type.Object({
      movedVisits: Type.Integer({ description: "Planned visits on another vehicle" }),
      addedVisits: Type.Integer({ description: "New or previously dropped visits with a vehicle" }),
      droppedVisits: Type.Integer({ description: "Visits that no vehicle can take" }),
      lateVisits: Type.Integer({ description: "Promises not kept: visits that begin after their window" }),
      brokenPromises: Type.Integer({
        description:
          "Visits that are reached more than promiseMinutes from the time that was dispatched first",
      }),
      newlyLateVisits: Type.Integer({ description: "Late visits that were in time before" }),
      newlyDroppedVisits: Type.Integer({
        description: "Dropped visits that had a vehicle before or are new",
      }),
      newlyBrokenPromises: Type.Integer({
        description: "Promises that the plan kept before: visits reached at another time now, or dropped",
      }),
      vehicles: Type.Integer({ description: "Vehicles with other stops" }),
      meters: Type.Integer({ description: "More distance; negative is less" }),
      minutes: Type.Integer({ description: "More driving; negative is less" }),
    }),
    vehicles: Type.Array(
      Type.Object({
        vehicleId: Type.String(),
        vehicleName: NullableText,
        assignee: NullableText,
        added: Type.Array(Type.String()),
        removed: Type.Array(Type.String()),
        meters: Type.Integer(),
        minutes: Type.Integer(),
      }),
    ),
    visits: Type.Array(
      Type.Object({
        visitId: Type.String(),
        visitName: NullableText,
        from: Type.Union([Type.String(), Type.Null()], { description: "Vehicle before" }),
        to: Type.Union([Type.String(), Type.Null()], { description: "Vehicle after; null is dropped" }),
        etaBefore: NullableText,
        etaAfter: NullableText,
        promisedTime: NullableText,
        isPromiseKept: Type.Boolean({
          description: "Begins within its window, and is reached about when it was promised",
        }),
      }),
      {
        description:
          "Visits on another vehicle, and those that are reached ten minutes or more later or earlier",
      },
    ),
  },
  { title: "PlanChanges" },
)
export type ProposalChanges = Static<typeof ProposalChanges>

/** Smaller differences of an arrival are not worth a line. */
const listedSeconds = 600

export function changesOf(before: Routing, { routing, ...plan }: ReplannedPlan): ProposalChanges {
  const [was, is] = [placesOf(before), placesOf(routing)]
  const wasLate = new Set([...was].flatMap(([id, { node }]) => (isLate(node) ? id : [])))
  const wasDropped = new Set(before.dropped.map((visit) => visit.visitId ?? visit.id))
  const late = new Set(plan.lateIds)
  const broken = new Set(plan.brokenPromiseIds)
  const promises = new Map(
    plan.input.visits.flatMap(({ id, promisedTime }) => (promisedTime ? [[id, promisedTime] as const] : [])),
  )
  const wasKept = (id: string) => {
    const [promised, eta] = [promises.get(id), was.get(id)?.node.eta]
    const seconds = (plan.input.settings.promiseMinutes ?? 0) * 60
    return promised !== undefined && Math.abs(secondsOf(eta) - secondsOf(promised)) <= seconds
  }
  const ids = [...new Set([...was.keys(), ...is.keys(), ...plan.droppedIds])]
  const visits = ids.flatMap((visitId) => {
    const [from, to] = [was.get(visitId), is.get(visitId)]
    // A cancelled visit is the cause, not a consequence.
    if (!to && !plan.droppedIds.includes(visitId)) return []
    const moved = Math.abs(secondsOf(to?.node.eta) - secondsOf(from?.node.eta)) >= listedSeconds
    if (from?.vehicleId === to?.vehicleId && !moved) return []
    return {
      visitId,
      visitName: to?.node.visitName ?? from?.node.visitName ?? null,
      from: from?.vehicleId ?? null,
      to: to?.vehicleId ?? null,
      etaBefore: from?.node.eta ?? null,
      etaAfter: to?.node.eta ?? null,
      promisedTime: promises.get(visitId) ?? null,
      isPromiseKept: to !== undefined && !late.has(visitId) && !broken.has(visitId),
    }
  })
  const vehicles = routing.routing.flatMap(({ vehicleId, vehicleName = null, assignee = null }) => {
    const [old, now] = [plan.before.get(vehicleId), plan.after.get(vehicleId)]
    if (!old || !now) return []
    const added = now.visitIds.filter((id) => !old.visitIds.includes(id))
    const removed = old.visitIds.filter((id) => !now.visitIds.includes(id))
    if (old.visitIds.join() === now.visitIds.join()) return []
    return {
      ...{ vehicleId, vehicleName, assignee, added, removed },
      meters: Math.round(now.distance - old.distance),
      minutes: Math.round((now.seconds - old.seconds) / 60),
    }
  })
  const sum = (read: (vehicle: (typeof vehicles)[number]) => number) =>
    vehicles.reduce((total, vehicle) => total + read(vehicle), 0)
  return {
    summary: {
      movedVisits: visits.filter(({ from, to }) => from !== null && to !== null && from !== to).length,
      addedVisits: visits.filter(({ from, to }) => from === null && to !== null).length,
      droppedVisits: plan.droppedIds.length,
      lateVisits: late.size,
      brokenPromises: broken.size,
      newlyLateVisits: [...late].filter((id) => !wasLate.has(id)).length,
      newlyDroppedVisits: plan.droppedIds.filter((id) => !wasDropped.has(id)).length,
      newlyBrokenPromises: [...broken, ...plan.droppedIds].filter(wasKept).length,
      vehicles: vehicles.length,
      meters: sum(({ meters }) => meters),
      minutes: sum(({ minutes }) => minutes),
    },
    vehicles,
    visits,
  }
}

function placesOf({ routing }: Routing): Map<string, { vehicleId: string; node: RouteNode }> {
  return new Map(
    routing.flatMap(({ vehicleId, trips }) =>
      trips.flatMap((node) => (node.isHub ? [] : [[node.visitId, { vehicleId, node }] as const])),
    ),
  )
}

function secondsOf(time: string | null | undefined): number {
  return parseClock(time ?? "") ?? 0
}

function isLate(node: RouteNode): boolean {
  return secondsOf(node.eta) > (parseClock(node.timeWindow?.endTime ?? "") ?? Number.POSITIVE_INFINITY)
}
