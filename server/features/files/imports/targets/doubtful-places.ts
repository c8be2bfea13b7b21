import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { findTasks } from "../../../work/tasks/index.ts"

/** A coordinate that an import looked up from an address, and that somebody should check. */
export interface DoubtfulPlace {
  taskId: Id<"task">
  componentId: string
  address: string
  /** What was written; null: nothing was found. */
  coordinate: string | null
  /** 0 to 1. */
  confidence: number
}

const maxAddressLength = 300
const maxListed = 1_000

export async function noteDoubtfulPlaces(
  tx: Tx,
  { organizationId }: Pick<Caller, "organizationId">,
  importId: string,
  places: readonly DoubtfulPlace[],
): Promise<void> {
  if (places.length === 0) return
  await tx`
    insert into import_places ${tx(
      places.map((place) => ({
        ...{ organizationId, importId, ...place },
        address: place.address.slice(0, maxAddressLength),
      })),
    )}
    on conflict (organization_id, import_id, task_id, component_id) do update
      set address = excluded.address, coordinate = excluded.coordinate, confidence = excluded.confidence`
}

/** Places that nobody has corrected since, of tasks that the caller sees; the least sure first. */
export async function listDoubtfulPlaces(
  sql: Sql,
  caller: Caller,
  importId: string,
): Promise<(DoubtfulPlace & { title: string })[]> {
  const places = await sql<DoubtfulPlace[]>`
    select task_id, component_id, address, coordinate, confidence from import_places
    where organization_id = ${caller.organizationId} and import_id = ${importId}
    order by confidence, task_id limit ${maxListed}`
  const tasks = await findTasks(
    sql,
    caller,
    places.map(({ taskId }) => taskId),
  )
  const byId = new Map(tasks.map((task) => [task.id, task]))
  return places.flatMap((place) => {
    const task = byId.get(place.taskId)
    const value = task?.values[place.componentId]
    const isUnchanged = (typeof value === "string" && value !== "" ? value : null) === place.coordinate
    return task && isUnchanged ? [{ ...place, title: String(task.title ?? "") }] : []
  })
}
