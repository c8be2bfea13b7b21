import type { ResultRow } from "../queries.ts"
import type { RouteNode, VehicleRoute } from "../result-schemas.ts"

/** What a result wants of the tasks behind its visits, before any task is looked at. */
export interface PlannedVisit {
  taskId: string
  vehicle: VehicleRoute
  node: RouteNode
  /** 0-based among the parts of one visit that are on vehicles; only the first is the task itself. */
  part: number
  /** `2/3`, when the visit was split. */
  splitNumber: string | null
}

export interface PlannedHandover {
  /** Distinguishes handovers of one result, also when it is dispatched again. */
  key: string
  vehicle: VehicleRoute
  node: RouteNode
  taskIds: string[]
}

/** The task that a visit's id names: `taskId-<id>`, or `task-<id>` as older clients write. */
export function taskIdOf(visitId: string): string | undefined {
  return /^task(?:Id)?-([0-9a-fA-F]{24})$/.exec(visitId)?.[1]?.toLowerCase()
}

/** Visits with a task, in the order of the routes; hubs and visits without a task are not dispatched. */
export function plannedVisits({ result }: Pick<ResultRow, "result">): PlannedVisit[] {
  const visits = result.routing.flatMap((vehicle) =>
    vehicle.trips.flatMap((node): PlannedVisit[] => {
      const taskId = node.isHub ? undefined : taskIdOf(node.visitId)
      if (taskId === undefined) return []
      const splitNumber = typeof node.splitNumber === "string" ? node.splitNumber : null
      return [{ taskId, vehicle, node, part: partOf(splitNumber), splitNumber }]
    }),
  )
  return visits
}

export function plannedHandovers({ result }: Pick<ResultRow, "result">): PlannedHandover[] {
  const handovers = result.routing.flatMap((vehicle) =>
    vehicle.trips.flatMap((node) =>
      Array.isArray(node.handoverVisits) ? [{ vehicle, node, visits: node.handoverVisits.map(String) }] : [],
    ),
  )
  return handovers.map(({ vehicle, node, visits }, index) => ({
    key: `handover-${index + 1}`,
    vehicle,
    node,
    taskIds: visits.flatMap((visitId) => taskIdOf(visitId) ?? []),
  }))
}

function partOf(splitNumber: string | null): number {
  return splitNumber === null ? 0 : Math.max(0, Number.parseInt(splitNumber, 10) - 1)
}

/** What dispatching writes on a task beside its people and its order. */
export function plannedAttributes({ vehicle, node, splitNumber }: PlannedVisit): Record<string, unknown> {
  const { workingTime } = vehicle
  return {
    assignedVehicleId: vehicle.vehicleId,
    assignedVehicle: {
      _id: vehicle.vehicleId,
      id: vehicle.vehicleId,
      name: vehicle.vehicleName ?? "",
      assignee: vehicle.assignee ?? "",
      speed: vehicle.speed ?? null,
      workingTime: {
        startTime: workingTime?.startTime ?? null,
        endTime: workingTime?.endTime ?? null,
        multiday: daysAdded(workingTime?.endTime),
      },
    },
    distance: node.distance ?? 0,
    eta: node.eta ?? null,
    etd: node.etd ?? null,
    waitingTime: node.waitingTime ?? 0,
    routePlannedOrder: node.order ?? null,
    ...(node.visitGroup === undefined
      ? {}
      : {
          useVisitGroup: true,
          visitGroup: node.visitGroup,
          visitGroupPriority: node.visitGroupPriority ?? 0,
        }),
    ...(splitNumber === null ? {} : { splitNumber, autoSplit: splitWord(node.autoSplit) }),
  }
}

/** Tasks write the mode with a capital, configurations without. */
function splitWord(mode: unknown): string {
  return mode === "maximize" ? "Maximize" : "Equal"
}

function daysAdded(endTime: string | null | undefined): number {
  return Math.floor(Number.parseInt(endTime ?? "0", 10) / 24) || 0
}
