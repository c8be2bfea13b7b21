import type { Sql } from "#core/database/database.ts"
import { readEstimates } from "../../planning/eta/index.ts"
import type { TaskRow } from "../../work/tasks/index.ts"

/** When somebody arrives at a task. */
export interface Arrival {
  at: Temporal.Instant
  /** The bounds of a 90 % window; null where only a planned time is known. */
  earliest: Temporal.Instant | null
  latest: Temporal.Instant | null
  stopsBefore: number | null
}

/** The time that the dispatched plan has, `09:30:00` on the day of the task in the zone of its hub; nobody comes before the window. */
export function plannedArrival(
  { attributes, startTime }: Pick<TaskRow, "attributes" | "startTime">,
  zone: string,
): Arrival | undefined {
  const { eta } = attributes
  if (typeof eta !== "string" || !/^\d{2}:\d{2}(:\d{2})?$/.test(eta) || eta > "23:59:59") return undefined
  const day = startTime.toZonedDateTimeISO(zone).toPlainDate()
  const at = day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(eta) }).toInstant()
  const isEarly = Temporal.Instant.compare(at, startTime) < 0
  return { at: isEarly ? startTime : at, earliest: null, latest: null, stopsBefore: null }
}

/** The live estimate of a task, else the time of its plan; undefined where neither is known. */
export async function arrivalOf(sql: Sql, task: TaskRow, zone: string): Promise<Arrival | undefined> {
  return (await arrivalsOf(sql, [task.id])).get(task.id) ?? plannedArrival(task, zone)
}

/** Live estimates of many tasks; tasks without one are left out. */
export async function arrivalsOf(sql: Sql, taskIds: readonly string[]): Promise<Map<string, Arrival>> {
  const estimates = await readEstimates(sql, taskIds)
  return new Map(
    [...estimates].map(([taskId, { arrival, earliest, latest, stopsBefore }]) => [
      taskId,
      { at: arrival, earliest, latest, stopsBefore },
    ]),
  )
}
