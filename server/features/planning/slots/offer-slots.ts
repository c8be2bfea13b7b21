import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { createFairSlots } from "#core/fairness/fair-slots.ts"
import { type Id, newId } from "#core/ids.ts"
import { runInThread, type ThreadTask } from "#core/threads/run-in-thread.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { TimeSpan } from "../../../../packages/route-optimizer/problem/problem.ts"
import type { RoadSupply } from "../../location/roads/index.ts"
import { stopsOfHub } from "../../work/tasks/index.ts"
import { defaultWorkingTime, usualBreak, worksOn } from "../../work/vehicles/index.ts"
import {
  defaultSettings,
  distanceMatrix,
  findTravel,
  parseClock,
  roadsOfPlan,
  visitOfTask,
} from "../routes/index.ts"
import { type DayVisit, type FittingWindow, type HubDay, placesOf } from "./day-capacity.ts"
import type { DayQuestion } from "./day-capacity-thread.ts"
import { slotErrors } from "./errors.ts"
import { releaseSlots } from "./held-slots.ts"
import { lockHub, readHub, type SlotHub } from "./slot-hub.ts"

export interface SlotQuery {
  hubId: string
  position: LngLat
  /** On site. */
  serviceMinutes: number
  /** What the vehicle needs. */
  tags: readonly string[]
  /** From today on. */
  days: number
  windowMinutes: number
  /** Windows to hold. */
  count: number
  /** Held slots of an earlier offer for the same visit, which would count as other work beside it. */
  replaces?: readonly string[]
  /** The task that moves: it leaves its place free, and stays with its assignee. */
  moves?: { taskId: string; assignee: string | undefined }
}

export interface Slot {
  id: Id<"slot">
  hubId: string
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
  status: "held" | "booked"
  heldUntil: Temporal.Instant
  lat: number
  lng: number
  /** On site. */
  serviceMinutes: number
  extraSeconds: number
  extraMeters: number
}

export interface SlotContext {
  now: Temporal.Instant
  roads: Exclude<RoadSupply, undefined>
  /** Aborted: nobody waits for the offer any more. */
  signal: AbortSignal
}

const fitting: ThreadTask<DayQuestion, FittingWindow[]> = {
  name: "looking for appointments",
  module: new URL("./day-capacity-thread.ts", import.meta.url),
  pool: "proposals",
  seconds: 30,
}

/**
 * An offer keeps a connection while it is computed, so few are computed at a time, and those that wait have none yet. They wait
 * longer than other requests do: each is quick, but many come at once.
 */
const turns = createFairSlots({ slots: 4, perKey: 1, waitingPerKey: 200, waitMilliseconds: 45_000 })

const holdMinutes = 10
/** Nobody is there sooner. */
const leadMinutes = 60

/**
 * The windows of the coming days in which a visit fits, cheapest first, held for some minutes. Offers of one hub are made one
 * after the other, each beside the windows that others hold, so that no capacity is offered twice.
 */
export async function offerSlots(
  sql: Sql,
  organizationId: string,
  query: SlotQuery,
  context: SlotContext,
): Promise<Slot[]> {
  await turns.take(organizationId, context.signal)
  try {
    return await inTransaction(sql, (tx) => findAndHold(tx, organizationId, query, context))
  } finally {
    turns.release(organizationId)
  }
}

async function findAndHold(
  tx: Tx,
  organizationId: string,
  query: SlotQuery,
  context: SlotContext,
): Promise<Slot[]> {
  await lockHub(tx, organizationId, query.hubId)
  await releaseSlots(tx, organizationId, query.replaces ?? [], query.hubId)
  const hub = await readHub(tx, organizationId, query.hubId)
  const found: { startsAt: Temporal.Instant; endsAt: Temporal.Instant; fit: FittingWindow }[] = []
  for (let offset = 0; offset < query.days; offset++) {
    const midnight = context.now.toZonedDateTimeISO(hub.timeZone).startOfDay().add({ days: offset })
    for (const fit of await fitsOfDay(tx, hub, query, midnight, context)) {
      const at = (seconds: number) => midnight.toInstant().add({ seconds })
      found.push({ startsAt: at(fit.window[0]), endsAt: at(fit.window[1]), fit })
    }
  }
  const best = found
    .toSorted(
      (one, other) =>
        one.fit.extraSeconds - other.fit.extraSeconds ||
        one.startsAt.epochMilliseconds - other.startsAt.epochMilliseconds,
    )
    .slice(0, query.count)
  return holdSlots(
    tx,
    organizationId,
    query,
    best.map(({ startsAt, endsAt, fit }) => ({ startsAt, endsAt, ...fit })),
    context.now.add({ minutes: holdMinutes }),
  )
}

async function fitsOfDay(
  tx: Tx,
  hub: SlotHub,
  query: SlotQuery,
  midnight: Temporal.ZonedDateTime,
  { now, roads, signal }: SlotContext,
): Promise<FittingWindow[]> {
  const soonest = Math.max(0, (now.epochMilliseconds - midnight.epochMilliseconds) / 1000 + leadMinutes * 60)
  const day = await readDay(tx, hub, midnight, now, soonest, query.moves?.taskId)
  const windows = windowsOf(day, query.windowMinutes * 60).filter(([from]) => from >= soonest)
  if (windows.length === 0) return []
  const { position, serviceMinutes, tags, moves } = query
  const driven =
    moves && hub.vehicles.find(({ assignee }) => assignee !== null && assignee === moves.assignee)
  const wanted: DayVisit = {
    ...{ position, serviceSeconds: serviceMinutes * 60, tags },
    ...(driven ? { vehicleId: driven.id } : {}),
  }
  const places = placesOf(day, wanted)
  const plan = { routingDate: midnight.toPlainDate().toString(), vehicles: hub.vehicles }
  const settings = { ...defaultSettings, autoSpeed: true }
  const patience = AbortSignal.any([signal, AbortSignal.timeout(20_000)])
  const travel = await findTravel(places, settings, roadsOfPlan(roads, plan), patience)
  const matrix = travel.matrices ? undefined : distanceMatrix(places)
  const matrices = travel.matrices ?? {
    distances: matrix ?? new Float64Array(0),
    durations: matrix ?? new Float64Array(0),
  }
  const question = { day, wanted, windows, travel: { ...matrices, hasOwnTimes: travel.hasOwnTimes } }
  return runInThread(fitting, question, {
    organizationId: hub.organizationId,
    signal,
  })
}

async function readDay(
  tx: Tx,
  hub: SlotHub,
  midnight: Temporal.ZonedDateTime,
  now: Temporal.Instant,
  soonest: number,
  withoutTask: string | undefined,
): Promise<HubDay> {
  const [from, to] = [midnight.toInstant(), midnight.add({ days: 1 }).toInstant()]
  const clock = (time: Temporal.Instant) => (time.epochMilliseconds - from.epochMilliseconds) / 1000
  const [stops, held] = await Promise.all([
    stopsOfHub(tx, { organizationId: hub.organizationId, hubId: hub.id }, { from, to }),
    listHeld(tx, hub, { from, to, now }),
  ])
  const tasks = stops.filter(({ id }) => id !== withoutTask)
  const booked = await listBooked(
    tx,
    hub,
    tasks.map(({ id }) => id),
  )
  const fromTasks = tasks.map((task): DayVisit => {
    const slot = booked.get(task.id)
    const { visitTime, tags } = visitOfTask(
      { ...task, title: null, content: null },
      hub.flows.get(task.flowId)?.pages ?? [],
    )
    const vehicle = hub.vehicles.find(({ assignee }) => assignee !== null && assignee === task.email)
    const minutes = slot?.serviceMinutes ?? visitTime ?? defaultSettings.defaultVisitTime
    return {
      position: [task.lng, task.lat],
      serviceSeconds: minutes * 60,
      window: [clock(task.startTime), clock(task.endTime)],
      tags: vehicle ? [] : (slot?.tags ?? tags),
      ...(vehicle ? { vehicleId: vehicle.id } : {}),
    }
  })
  const fromSlots = held.map(
    (slot): DayVisit => ({
      position: [slot.lng, slot.lat],
      serviceSeconds: slot.serviceMinutes * 60,
      window: [clock(slot.startsAt), clock(slot.endsAt)],
      tags: slot.tags,
    }),
  )
  return {
    hub: hub.position,
    commitments: [...fromTasks, ...fromSlots],
    vehicles: hub.vehicles.flatMap(({ id, speed, tags, workingTime, breakTime, terms }) => {
      if (!worksOn(terms, midnight.toPlainDate())) return []
      const rest = usualBreak({ breakTime, terms })
      const { startTime, endTime } = { ...defaultWorkingTime, ...workingTime }
      const [start = 0, end = 0] = [parseClock(startTime), parseClock(endTime)]
      const [pause, resume] = [rest?.startTime, rest?.endTime].map((text) => parseClock(text ?? ""))
      // Who is on the road today has begun; windows that are over are not offered anyway.
      const shift: TimeSpan = [Math.max(start, Math.min(soonest - leadMinutes * 60, end)), end]
      const breaks: TimeSpan[] = pause !== undefined && resume !== undefined ? [[pause, resume]] : []
      return end > shift[0] ? { id, speed, tags, shift, breaks } : []
    }),
  }
}

/** Windows of equal length from the earliest to the latest work of the hub's vehicles. */
function windowsOf({ vehicles }: HubDay, length: number): TimeSpan[] {
  if (vehicles.length === 0) return []
  const first = Math.ceil(Math.min(...vehicles.map(({ shift }) => shift[0])) / 1800) * 1800
  const last = Math.max(...vehicles.map(({ shift }) => shift[1]))
  const count = Math.max(0, Math.floor((last - first) / length))
  return Array.from({ length: count }, (_, i) => [first + i * length, first + (i + 1) * length])
}

interface Held extends Slot {
  tags: string[]
}

function listHeld(
  tx: Tx,
  { organizationId, id }: SlotHub,
  { from, to, now }: { from: Temporal.Instant; to: Temporal.Instant; now: Temporal.Instant },
): Promise<Held[]> {
  return tx<Held[]>`
    select id, hub_id, starts_at, ends_at, status, held_until, lat, lng, service_minutes, extra_seconds, extra_meters, tags
    from appointment_slots
    where organization_id = ${organizationId} and hub_id = ${id} and status = 'held' and held_until > ${now}
      and starts_at >= ${from} and starts_at < ${to}
    order by starts_at, id`
}

/** What was asked for when tasks were booked, by task. */
async function listBooked(
  tx: Tx,
  { organizationId }: SlotHub,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, { serviceMinutes: number; tags: string[] }>> {
  const rows = await tx<{ taskId: string; serviceMinutes: number; tags: string[] }[]>`
    select task_id, service_minutes, tags from appointment_slots
    where organization_id = ${organizationId} and task_id = any (${[...taskIds]})`
  return new Map(rows.map((row) => [row.taskId, row]))
}

async function holdSlots(
  tx: Tx,
  organizationId: string,
  { hubId, position, serviceMinutes, tags }: SlotQuery,
  windows: readonly ({ startsAt: Temporal.Instant; endsAt: Temporal.Instant } & FittingWindow)[],
  heldUntil: Temporal.Instant,
): Promise<Slot[]> {
  const offerId = newId<"slot-offer">()
  const [lng, lat] = position
  const slots: Slot[] = []
  for (const { startsAt, endsAt, extraSeconds, extraMeters } of windows) {
    const id = newId<"slot">()
    await tx`
      insert into appointment_slots (organization_id, id, offer_id, hub_id, starts_at, ends_at, status, held_until, lat, lng,
        service_minutes, tags, extra_seconds, extra_meters)
      values (${organizationId}, ${id}, ${offerId}, ${hubId}, ${startsAt}, ${endsAt}, 'held', ${heldUntil}, ${lat}, ${lng},
        ${serviceMinutes}, ${[...tags]}, ${extraSeconds}, ${extraMeters})`
    slots.push({
      ...{ id, hubId, startsAt, endsAt, status: "held", heldUntil },
      ...{ lat, lng, serviceMinutes, extraSeconds, extraMeters },
    })
  }
  return slots
}

/**
 * Books a held slot, makes its task in the same transaction, and frees the other slots of the offer. Of any number of
 * concurrent bookings one succeeds. `makeTask` returns the id of a task with the slot's hub and times.
 */
export async function bookSlot(
  tx: Tx,
  organizationId: string,
  slotId: string,
  now: Temporal.Instant,
  makeTask: (slot: Slot) => Promise<string>,
): Promise<{ slot: Slot; taskId: string }> {
  const rows = await tx<(Slot & { offerId: string })[]>`
    update appointment_slots set status = 'booked'
    where organization_id = ${organizationId} and id = ${slotId.toLowerCase()} and status = 'held' and held_until > ${now}
    returning id, offer_id, hub_id, starts_at, ends_at, status, held_until, lat, lng, service_minutes, extra_seconds,
      extra_meters`
  const [slot] = rows
  if (!slot) throw (await slotExists(tx, organizationId, slotId)) ? slotErrors.taken() : slotErrors.notFound()
  await tx`
    delete from appointment_slots
    where organization_id = ${organizationId} and offer_id = ${slot.offerId} and status = 'held'`
  const taskId = await makeTask(slot)
  await tx`
    update appointment_slots set task_id = ${taskId} where organization_id = ${organizationId} and id = ${slot.id}`
  return { slot, taskId }
}

export async function hubOfSlot(
  sql: Sql,
  organizationId: string,
  slotId: string,
): Promise<string | undefined> {
  const rows = await sql<{ hubId: string }[]>`
    select hub_id from appointment_slots where organization_id = ${organizationId} and id = ${slotId.toLowerCase()}`
  return rows[0]?.hubId
}

async function slotExists(sql: Sql, organizationId: string, slotId: string): Promise<boolean> {
  return (await hubOfSlot(sql, organizationId, slotId)) !== undefined
}
