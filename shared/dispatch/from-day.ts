import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { DayStop, DayWorker } from "./person-day.ts"

/** A task and a person as `GET /dispatch/day` returns them. */
export interface TaskOfDay {
  _id: string
  hubId: string
  status: string
  assignee: readonly string[]
  startTime: number
  endTime: number
  doneTime?: number
  orderIndex: number
  lat: number | null
  lng: number | null
  visitMinutes?: number
  tags?: readonly string[]
  demand?: Readonly<Record<string, number>>
  expectedArrival?: number
}

interface Span {
  start: number
  end: number
}

export interface PersonOfDay {
  hubIds: readonly string[]
  hasAllHubs: boolean
  start?: { lat: number; lng: number }
  vehicle: {
    tags: readonly string[]
    capacity: Readonly<Record<string, { max: number }>>
    shift: Span | null
    pause: Span | null
    lat: number
    lng: number
  } | null
}

export type OrderedStop = DayStop & { orderIndex: number }

export function stopOf(task: TaskOfDay): OrderedStop {
  return {
    id: task._id,
    lngLat: task.lng === null || task.lat === null ? undefined : [task.lng, task.lat],
    hubId: task.hubId,
    startTime: task.startTime,
    endTime: task.endTime,
    visitMinutes: task.visitMinutes,
    isDone: task.status === "DONE",
    doneTime: task.doneTime,
    demand: task.demand ?? {},
    tags: task.tags ?? [],
    orderIndex: task.orderIndex,
    expectedArrival: task.expectedArrival,
  }
}

/** `position` is where the person is now; without it they start at the hub of their vehicle, else at their own. */
export function workerOf(person: PersonOfDay, position?: LngLat): DayWorker {
  const { hubIds, hasAllHubs, start, vehicle } = person
  const hub: LngLat | undefined = start && [start.lng, start.lat]
  return {
    hubIds: hasAllHubs ? "all" : hubIds,
    shift: vehicle?.shift ?? undefined,
    pause: vehicle?.pause ?? undefined,
    from: position ?? hub,
    capacity: vehicle?.capacity ?? {},
    tags: vehicle?.tags ?? [],
    hasVehicle: vehicle !== null,
  }
}
