import { Type } from "typebox"
import { type Caller, findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { defineJob, type JobContext, longQueue, send } from "#core/jobs/define-job.ts"
import { formatLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { canGeocode, geocode, sureConfidence } from "../../../planning/routes/index.ts"
import { type FlowRow, findFlow, inputTypeOf } from "../../../work/flows/index.ts"
import { changeTasks, visibleTasks } from "../../../work/tasks/index.ts"
import { lockImport } from "../queries.ts"
import { type DoubtfulPlace, geocodingKey, noteDoubtfulPlaces } from "./doubtful-places.ts"
import { importedComponents } from "./task-fields.ts"

/** A coordinate that is looked up from an address where a row leaves it empty. */
export interface LookedUp {
  coordinateId: string
  addressId: string
}

/**
 * Coordinates with `useGeocode`; of visits also the routed one, by the routed address. A flow's only coordinate is looked
 * up by its first address, unless `useGeocode` is false.
 */
export function lookedUpCoordinates(flow: Pick<FlowRow, "pages">, isVisit: boolean): LookedUp[] {
  const components = importedComponents(flow)
  const ofType = (type: string) =>
    components.filter((input) => input.component === "input" && inputTypeOf(input) === type)
  const places = ofType("Geolocation")
  const firstAddress = places.length === 1 ? ofType("Address")[0]?.id : undefined
  const routedAddress = components.find(({ routeAs }) => routeAs === "Address")
  return places.flatMap(({ id: coordinateId, useGeocode, geocodeAs, routeAs }) => {
    const named = useGeocode === true ? components.find(({ id }) => id === geocodeAs)?.id : undefined
    const routed = isVisit && routeAs === "Coordinate" ? routedAddress?.id : undefined
    const addressId = named ?? routed ?? (useGeocode === false ? undefined : firstAddress)
    return addressId === undefined ? [] : [{ coordinateId, addressId }]
  })
}

const batchTasks = 100

/**
 * Fills in the coordinates of an import's new tasks by their addresses, if a service or an installed map knows addresses.
 * What is not found stays empty and is listed with the import, as is what is not sure. Safe to run twice: filled ones
 * are left alone.
 */
export const geocodeTasks = defineJob({
  name: "imports.geocode",
  payload: Type.Object({ organizationId: Type.String(), importId: Type.String() }),
  maxAttempts: 5,
  timeoutSeconds: 7_200,
  isLong: true,
  async handle(context, { organizationId, importId }) {
    const { sql, config } = context
    const [record] = await sql<{ type: string; targetId: string; userId: string; hubId: string }[]>`
      select type, target_id, user_id, hub_id from imports
      where organization_id = ${organizationId} and id = ${importId}`
    const caller = record && (await findCallerOfUser(sql, organizationId, record.userId))
    const flow = caller && (await findFlow(sql, caller, record.targetId))
    const hub = flow && (await findHub(sql, caller, record.hubId))
    if (!hub || !(await canGeocode({ sql, geocoderUrl: config.geocoderUrl }))) return
    for (const coordinate of lookedUpCoordinates(flow, record.type === "visit")) {
      const batches = await sql<Written[]>`
        select first_chunk, written_time, created_ids from import_batches
        where organization_id = ${organizationId} and import_id = ${importId} order by first_chunk`
      for (const batch of batches)
        for (let first = 0; first < batch.createdIds.length; first += batchTasks) {
          context.signal.throwIfAborted()
          const ids = batch.createdIds.slice(first, first + batchTasks)
          await fillIn(context, caller, { importId, ...batch, ids, near: [hub.lng, hub.lat], ...coordinate })
        }
    }
  },
})

/** Asked for when an import has ended. */
export async function sendGeocoding(tx: Tx, organizationId: string, importId: string): Promise<void> {
  await send(
    tx,
    geocodeTasks,
    { organizationId, importId },
    { queue: longQueue("outside", organizationId), key: geocodingKey(importId), priority: 20 },
  )
}

interface Written {
  firstChunk: number
  writtenTime: Temporal.Instant
  createdIds: string[]
}

interface Wanted extends LookedUp, Written {
  importId: string
  ids: readonly string[]
  near: readonly [number, number]
}

async function fillIn(context: JobContext, caller: Caller, wanted: Wanted): Promise<void> {
  const { sql, config } = context
  const { ids, coordinateId, addressId, writtenTime, near } = wanted
  const open = await sql<{ id: Id<"task">; address: string }[]>`
    select id, "values"->>${addressId} as address from tasks
    where ${visibleTasks(sql, caller)} and id = any (${ids as string[]}) and updated_time = ${writtenTime}
      and coalesce("values"->>${coordinateId}, '') = '' and coalesce("values"->>${addressId}, '') <> ''`
  const addresses = open.map(({ address }) => address)
  const geocoder = { sql, geocoderUrl: config.geocoderUrl }
  const found = await geocode(addresses, geocoder, { position: [near[0], near[1]] })
  const places = new Map<string, string>()
  const doubtful: DoubtfulPlace[] = []
  for (const [index, { id, address }] of open.entries()) {
    const { position, confidence = 0 } = found[index] ?? {}
    const coordinate = position ? formatLatLng(position) : null
    if (coordinate) places.set(id, coordinate)
    if (confidence < sureConfidence)
      doubtful.push({ taskId: id, componentId: coordinateId, address, coordinate, confidence })
  }
  if (open.length > 0)
    await inTransaction(sql, async (tx) => {
      await noteDoubtfulPlaces(tx, caller, wanted.importId, doubtful)
      if (places.size > 0) await writePlaces(tx, context, caller, wanted, places)
    })
}

/** Writes coordinates into tasks that nobody touched since, and notes them as a batch of their own for undoing. */
async function writePlaces(
  tx: Tx,
  { clock, live }: JobContext,
  caller: Caller,
  { importId, firstChunk, writtenTime, coordinateId }: Wanted,
  places: ReadonlyMap<string, string>,
): Promise<void> {
  const { organizationId } = caller
  const record = await lockImport(tx, organizationId, importId)
  if (!record || record.undoResult) return
  const untouched = await tx<{ id: string }[]>`
    select id from tasks where ${visibleTasks(tx, caller)} and id = any (${[...places.keys()]})
      and updated_time = ${writtenTime} order by id for update`
  const changes = untouched.map(({ id }) => ({
    ...{ taskId: id, kind: "patch" as const },
    patch: { [coordinateId]: places.get(id) },
  }))
  // It completes what the import wrote, which needs no right beyond the import's.
  const writer = { ...caller, permissions: new Set([...caller.permissions, "edit/task" as const]) }
  const outcomes = await changeTasks(tx, writer, changes, { now: clock.now(), live })
  const changed = outcomes.flatMap((outcome) => ("task" in outcome ? [outcome.task] : []))
  const ids = changed.map(({ id }) => id)
  const changedTime = changed[0]?.updatedTime
  if (changedTime === undefined) return
  await tx`
    update import_batches set created_ids = array(
      select own.id from unnest(created_ids) with ordinality as own (id, place) where own.id <> all (${ids}) order by place)
    where organization_id = ${organizationId} and import_id = ${importId} and first_chunk = ${firstChunk}`
  await tx`
    insert into import_batches (organization_id, import_id, first_chunk, written_time, created_ids)
    select ${organizationId}, ${importId}, max(first_chunk) + 1, ${changedTime}, ${ids} from import_batches
    where organization_id = ${organizationId} and import_id = ${importId}`
}
