import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import type { Flow } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import type { Fix } from "../kept/field-positions.ts"
import type { PlacedStop } from "./follow-stops.ts"
import { fieldKey } from "./stop-rules.ts"

/** A stop that was finished on this phone, until the person leaves it. */
export interface Leaving {
  taskId: string
  title: string
  /** `lat,lng` */
  coordinate: string | undefined
  /** The task's field for when they left. */
  timeField: string
}

const keyOf = (personKey: string) => `fieldway.leaving.${personKey}`
const most = 10

export function readLeaving(personKey: string): Leaving[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(personKey)) ?? "[]")
    return Array.isArray(kept) ? (kept as Leaving[]) : []
  } catch {
    return []
  }
}

export function writeLeaving(personKey: string, stops: readonly Leaving[]): void {
  try {
    if (stops.length === 0) localStorage.removeItem(keyOf(personKey))
    else localStorage.setItem(keyOf(personKey), JSON.stringify(stops.slice(-most)))
  } catch {
    // A full disk: when the person leaves is not known then; the work itself is kept elsewhere.
  }
}

/** The stop was finished: what is left to know is when the person leaves. Without a place of its own, where they finished it. */
export function recordLeaving(personKey: string, task: Task, flow: Flow, fix: Fix | undefined): void {
  const { _id: taskId, title, expectedCoordinate } = task
  const coordinate = typeof expectedCoordinate === "string" ? expectedCoordinate : fix?.coordinate
  const stop = { taskId, title: title ?? task.flow, coordinate, timeField: fieldKey(flow, "leftTime") }
  writeLeaving(personKey, [...readLeaving(personKey), stop])
}

export function placed(taskId: string, coordinate: unknown): PlacedStop[] {
  const at = typeof coordinate === "string" ? parseLatLng(coordinate) : undefined
  return at ? [{ taskId, at }] : []
}
