import { type Caller, hasHub } from "#core/access/caller.ts"
import { json, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { type Id, newId } from "#core/ids.ts"
import { moveToTrash, type Restorer, restoreRows, rowOf, showRows } from "#core/trash.ts"
import { type Assignable, findAssignable } from "../../people/users/index.ts"
import { noteDrivers } from "./drivers.ts"
import { vehicleErrors } from "./errors.ts"
import { findVehicles, lockVehicle, lockVehiclesOfHub, vehicleColumns } from "./queries.ts"
import { checkVehicle, cleanTags } from "./rules.ts"
import type { VehicleBody, VehiclePatch, WorkingTime } from "./schemas.ts"
import { mergeTerms } from "./terms.ts"
import { defaultWorkingTime, toWireVehicle, type VehicleRow } from "./wire.ts"

export interface VehicleContext {
  now: Temporal.Instant
  live: LiveEvents
}

export type WrittenVehicle = { id: Id<"vehicle"> } | { refusal: AppError }

/** Makes vehicles, each by itself and in the order given; one that is refused leaves the others. */
export async function createVehicles(
  tx: Tx,
  caller: Caller,
  bodies: readonly VehicleBody[],
  context: VehicleContext,
): Promise<WrittenVehicle[]> {
  const known = await readReferences(tx, caller, bodies)
  const made: (Settings & { id: Id<"vehicle"> })[] = []
  const outcomes = bodies.map((body): WrittenVehicle => {
    try {
      const vehicle = { id: newId<"vehicle">(), ...settle(caller, undefined, body, known) }
      made.push(vehicle)
      return { id: vehicle.id }
    } catch (error) {
      if (error instanceof AppError) return { refusal: error }
      throw error
    }
  })
  for (const vehicle of made)
    await tx`
      insert into vehicles (organization_id, id, hub_id, name, assignee, speed, fixed_cost, tags, odd_even, working_time,
        break_time, capacity, terms, created_by, updated_by, created_time, updated_time)
      values (${caller.organizationId}, ${vehicle.id}, ${vehicle.hubId}, ${vehicle.name}, ${vehicle.assignee}, ${vehicle.speed},
        ${vehicle.fixedCost}, ${vehicle.tags}, ${vehicle.oddEven}, ${vehicle.workingTime && json(tx, vehicle.workingTime)},
        ${vehicle.breakTime && json(tx, vehicle.breakTime)}, ${json(tx, vehicle.capacity)}, ${json(tx, vehicle.terms)}, ${caller.email}, ${caller.email},
        ${context.now}, ${context.now})`
  await noteDrivers(tx, caller.organizationId, made, context.now)
  await announce(tx, caller, made, context)
  return outcomes
}

/** Replaces a vehicle (what is left out returns to its default), or changes the fields given. */
export async function changeVehicle(
  tx: Tx,
  caller: Caller,
  change: { vehicleId: string; body: VehiclePatch; replaces: boolean },
  context: VehicleContext,
): Promise<VehicleRow> {
  const before = await lockVehicle(tx, caller, change.vehicleId)
  if (!before) throw vehicleErrors.notFound()
  const known = await readReferences(tx, caller, [{ hubId: before.hubId, ...change.body }])
  const base = change.replaces ? { hubId: before.hubId, name: before.name } : before
  const next = settle(caller, base, change.body, known)
  // Clients send back the default that they have read of a vehicle without working hours: nobody has entered it.
  if (before.workingTime === null && isDefaultTime(next.workingTime)) next.workingTime = null
  const updatedTime =
    Temporal.Instant.compare(context.now, before.updatedTime) > 0 ? context.now : before.updatedTime
  await tx`
    update vehicles set hub_id = ${next.hubId}, name = ${next.name}, assignee = ${next.assignee}, speed = ${next.speed},
      fixed_cost = ${next.fixedCost}, tags = ${next.tags}, odd_even = ${next.oddEven},
      working_time = ${next.workingTime && json(tx, next.workingTime)}, break_time = ${next.breakTime && json(tx, next.breakTime)},
      capacity = ${json(tx, next.capacity)}, terms = ${json(tx, next.terms)}, updated_by = ${caller.email}, updated_time = ${updatedTime}
    where organization_id = ${caller.organizationId} and id = ${before.id}`
  await noteDrivers(tx, caller.organizationId, [{ id: before.id, assignee: next.assignee }], context.now)
  await announce(tx, caller, [before, { id: before.id, hubId: next.hubId }], context)
  const [after] = await findVehicles(tx, { ...caller, hubs: "all" }, [before.id])
  if (!after) throw new Error("a vehicle vanished in the transaction that changed it")
  return after
}

export async function deleteVehicle(
  tx: Tx,
  caller: Caller,
  id: string,
  context: VehicleContext,
): Promise<VehicleRow> {
  const vehicle = await lockVehicle(tx, caller, id)
  if (!vehicle) throw vehicleErrors.notFound()
  await discard(tx, caller, [vehicle], context)
  return vehicle
}

/** All vehicles of a hub, or none. Returns how many. */
export async function deleteVehiclesOfHub(
  tx: Tx,
  caller: Caller,
  hubId: string,
  context: VehicleContext,
): Promise<number> {
  const vehicles = await lockVehiclesOfHub(tx, caller, hubId)
  if (vehicles.length === 0) throw vehicleErrors.notFound()
  await discard(tx, caller, vehicles, context)
  return vehicles.length
}

async function discard(tx: Tx, caller: Caller, vehicles: readonly VehicleRow[], context: VehicleContext) {
  const ids = vehicles.map(({ id }) => id as string)
  const rows = await tx<{ id: string; name: string; hubId: string; content: unknown }[]>`
    delete from vehicles where organization_id = ${caller.organizationId} and id = any (${ids})
    returning id, name, hub_id, to_jsonb(vehicles) as content`
  const driverless = ids.map((id) => ({ id, assignee: null }))
  await noteDrivers(tx, caller.organizationId, driverless, context.now)
  await moveToTrash(
    tx,
    caller,
    rows.map(({ id, name, hubId, content }) => ({ type: "Vehicle", name, sourceId: id, hubId, content })),
  )
  await announce(tx, caller, vehicles, context)
}

export const vehicleRestorer: Restorer = {
  type: "Vehicle",
  dataType: "vehicles",
  viewPermission: "view/vehicle",
  permission: "add/vehicle",
  show: showRows<VehicleRow>("vehicles", vehicleColumns, toWireVehicle),
  async restore(tx, caller, { sourceId, hubId, content }, context) {
    const row = rowOf(content)
    await restoreRows(tx, caller, "vehicles", [row])
    const assignee = typeof row.assignee === "string" ? row.assignee : null
    await noteDrivers(tx, caller.organizationId, [{ id: sourceId, assignee }], context.now)
    await announce(tx, caller, [{ id: sourceId, hubId }], context)
  },
}

async function announce(
  tx: Tx,
  caller: Caller,
  vehicles: readonly { id: string; hubId: string | null }[],
  { live }: VehicleContext,
): Promise<void> {
  for (const [hubId, group] of Map.groupBy(vehicles, (vehicle) => vehicle.hubId))
    await publish(tx, live, "vehicle.changed", {
      organizationId: caller.organizationId,
      hubId,
      content: { vehicleIds: group.map(({ id }) => id).slice(0, 1000) },
    })
}

interface References {
  hubs: ReadonlySet<string>
  people: ReadonlyMap<string, Assignable>
}

async function readReferences(tx: Tx, caller: Caller, bodies: readonly VehiclePatch[]): Promise<References> {
  const hubIds = [...new Set(bodies.flatMap(({ hubId }) => hubId?.toLowerCase() ?? []))]
  const emails = [...new Set(bodies.flatMap(({ assignee }) => emailOf(assignee) ?? []))]
  const hubs = await tx<{ id: string }[]>`
    select id from hubs where organization_id = ${caller.organizationId} and id = any (${hubIds}) order by id for key share`
  const people = emails.length > 0 ? await findAssignable(tx, caller.organizationId, emails, "") : []
  return {
    hubs: new Set(hubs.map(({ id }) => id).filter((id) => hasHub(caller, id))),
    people: new Map(people.map((person) => [person.email, person])),
  }
}

type Settings = Pick<
  VehicleRow,
  | "hubId"
  | "name"
  | "assignee"
  | "speed"
  | "fixedCost"
  | "tags"
  | "oddEven"
  | "workingTime"
  | "breakTime"
  | "capacity"
  | "terms"
>

/** The vehicle after a write: what is sent, else what `base` has, else the default. */
function settle(
  caller: Caller,
  base: Partial<Settings> | undefined,
  body: VehiclePatch,
  known: References,
): Settings {
  checkVehicle(body)
  const hubId = (body.hubId?.toLowerCase() ?? base?.hubId ?? "") as Id<"hub">
  if (!known.hubs.has(hubId) || !hasHub(caller, hubId)) throw vehicleErrors.badHub()
  const assignee = body.assignee === undefined ? (base?.assignee ?? null) : (emailOf(body.assignee) ?? null)
  if (body.assignee !== undefined && assignee !== null) {
    const person = known.people.get(assignee)
    if (!person || !(person.isOwner || person.hubIds.includes(hubId))) throw vehicleErrors.badAssignee()
  }
  const { startTime, endTime } = body.breakTime ?? {}
  return {
    hubId,
    name: body.name?.trim() ?? base?.name ?? "",
    assignee,
    speed: body.speed ?? base?.speed ?? 25,
    fixedCost: body.fixedCost ?? base?.fixedCost ?? 0,
    tags: body.tags ? cleanTags(body.tags) : (base?.tags ?? []),
    oddEven: body.oddEven === undefined ? (base?.oddEven ?? null) : body.oddEven || null,
    workingTime: body.workingTime === undefined ? (base?.workingTime ?? null) : body.workingTime,
    breakTime:
      body.breakTime === undefined
        ? (base?.breakTime ?? null)
        : startTime && endTime
          ? { startTime, endTime }
          : null,
    capacity: body.capacity === undefined ? (base?.capacity ?? {}) : (body.capacity ?? {}),
    terms: mergeTerms(base?.terms ?? {}, body),
  }
}

function isDefaultTime(time: WorkingTime | null): boolean {
  const { startTime, endTime, multiday } = { ...defaultWorkingTime, ...time }
  return (
    startTime.slice(0, 5) === defaultWorkingTime.startTime &&
    endTime.slice(0, 5) === defaultWorkingTime.endTime &&
    multiday === defaultWorkingTime.multiday
  )
}

function emailOf(assignee: string | null | undefined): string | undefined {
  return assignee?.trim().toLowerCase() || undefined
}
