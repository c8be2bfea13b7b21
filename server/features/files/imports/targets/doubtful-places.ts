import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { findRecords } from "../../../work/data-records/index.ts"
import { findTasks } from "../../../work/tasks/index.ts"
import type { ImportRow } from "../queries.ts"

/** A coordinate that an import looked up from an address, and that somebody should check. */
export interface DoubtfulPlace {
  /** The task; of an import of records, the record. */
  taskId: string
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

/** Whether addresses of an import are still being looked up. */
export async function isLocating(sql: Sql, { id }: Pick<ImportRow, "id">): Promise<boolean> {
  const rows = await sql`
    select from graphile_worker._private_jobs where key = ${geocodingKey(id)}
      and (attempts < max_attempts or locked_at is not null)`
  return rows.length > 0
}

/** Of the job that looks up the addresses of an import. */
export const geocodingKey = (importId: string) => `import-geocode:${importId}`

/** Places that nobody has corrected since, of tasks or records that the caller sees; the least sure first. */
export async function listDoubtfulPlaces(
  sql: Sql,
  caller: Caller,
  { id, type }: Pick<ImportRow, "id" | "type">,
) {
  const places = await sql<DoubtfulPlace[]>`
    select task_id, component_id, address, coordinate, confidence from import_places
    where organization_id = ${caller.organizationId} and import_id = ${id}
    order by confidence, task_id limit ${maxListed}`
  const ids = places.map(({ taskId }) => taskId)
  const isOfRecords = type === "datasource"
  const shown = isOfRecords
    ? (await findRecords(sql, caller, ids)).map((record) => ({ ...record, title: record.dataId }))
    : await findTasks(sql, caller, ids as Id<"task">[])
  const byId = new Map(shown.map((object) => [String(object.id), object]))
  return places.flatMap(({ taskId, ...place }) => {
    const object = byId.get(taskId)
    const value = object?.values[place.componentId]
    const isUnchanged = (typeof value === "string" && value !== "" ? value : null) === place.coordinate
    const subject = isOfRecords ? { recordId: taskId } : { taskId }
    return object && isUnchanged ? [{ ...subject, ...place, title: String(object.title ?? "") }] : []
  })
}
