import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { FlowPage } from "../../../work/flows/index.ts"
import type { TaskRow } from "../../../work/tasks/index.ts"
import { tagsOf } from "../read-entries.ts"
import { isWorkers, type TaskLinks } from "./links-of-task.ts"

/** What a task is as a visit, by what its flow maps: the fields of a request's visit. */
export interface TaskVisit {
  id: string
  name: string
  address: string
  /** Empty when the task has no place. */
  coordinate: string
  timeWindow: { startTime: string | null; endTime: string | null }
  visitTime: number | null
  tags: string[]
  capacity: Record<string, number>
  links: TaskLinks
}

const constraintPrefix = "Constraint."

export function visitOfTask(
  task: Pick<TaskRow, "id" | "title" | "content" | "lng" | "lat" | "values">,
  pages: readonly FlowPage[],
): TaskVisit {
  const components = pages.flatMap((page) => page.components)
  const value = (routed: string): unknown => {
    const component = components.find(({ routeAs }) => routeAs === routed)
    return component ? task.values[component.id] : undefined
  }
  const text = (routed: string): string | null => {
    const found = value(routed)
    return typeof found === "string" && found.trim() !== "" ? found.trim() : null
  }
  const [minutes, workers] = [Number(value("VisitDuration")), Number(value("Workers") ?? 1)]
  const demands = components.flatMap(({ id, routeAs }): [string, number][] => {
    if (typeof routeAs !== "string" || !routeAs.startsWith(constraintPrefix)) return []
    const amount = Number(task.values[id] ?? 0)
    return [[routeAs.slice(constraintPrefix.length), Number.isFinite(amount) ? amount : 0]]
  })
  return {
    id: `taskId-${task.id}`,
    name: text("VisitName") ?? task.title ?? task.id,
    address: text("Address") ?? task.content ?? "",
    coordinate:
      text("Coordinate") ??
      (task.lng === null || task.lat === null ? "" : formatLatLng([task.lng, task.lat])),
    timeWindow: { startTime: text("OpenTime"), endTime: text("CloseTime") },
    visitTime:
      value("VisitDuration") !== undefined && Number.isInteger(minutes) && minutes >= 0 ? minutes : null,
    tags: tagsOf(value("Tag")),
    capacity: Object.fromEntries(demands),
    links: {
      pickup: text("Pickup"),
      after: text("After"),
      workers: isWorkers(workers) ? workers : null,
      days: text("Days"),
      preferredDays: text("PreferredDays"),
      preferred: text("PreferredVehicle"),
    },
  }
}
