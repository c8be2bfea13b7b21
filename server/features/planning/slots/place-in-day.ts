import type { Tx } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { orderIndexesAt } from "#shared/dispatch/order-index.ts"
import { bestPosition, type DayStop, type DayWorker, withStops } from "#shared/dispatch/person-day.ts"
import { latestPositions } from "../../location/positions/index.ts"
import type { RoadSupply } from "../../location/roads/index.ts"
import { type OpenStop, openStops } from "../../work/tasks/index.ts"
import { defaultWorkingTime } from "../../work/vehicles/index.ts"
import { lookUp, maxPlacesOfPerson, travelTable } from "../dispatch-desk/index.ts"
import { inOrder } from "../eta/index.ts"
import { defaultSettings, formatClock, parseClock, visitOfTask } from "../routes/index.ts"
import { lockHub, readHub, type SlotHub } from "./slot-hub.ts"

/** A stop of one person that is about to move to other times. */
interface MovedStop {
  id: string
  hubId: string
  email: string
  position: LngLat
  serviceMinutes: number
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
  /** Its place in the route of the same day; null where it comes from another day, or was assigned by hand. */
  before: { orderIndex: number; routePlannedOrder: number } | null
}

/** What changes for a stop of that day. */
export interface NewPlace {
  taskId: string
  routingResultId: string | null
  orderIndex: number
  attributes: { eta: string | null; etd: string | null; waitingTime: 0; routePlannedOrder: number }
}

type PlannedStop = DayStop & Pick<OpenStop, "orderIndex" | "routingResultId" | "routePlannedOrder">

/**
 * Where a stop that moves to other times belongs in its person's planned day: where it costs least. Returned with the stops
 * after it, whose planned times it changes; the moved one is the first. Nothing where that day has no planned route.
 */
export async function placeInDay(
  tx: Tx,
  organizationId: string,
  moved: MovedStop,
  { now, roads }: { now: Temporal.Instant; roads: RoadSupply },
): Promise<NewPlace[]> {
  await lockHub(tx, organizationId, moved.hubId)
  const hub = await readHub(tx, organizationId, moved.hubId)
  const midnight = moved.startsAt.toZonedDateTimeISO(hub.timeZone).startOfDay()
  const day = { from: midnight.toInstant(), to: midnight.add({ days: 1 }).toInstant() }
  const open = await openStops(tx, organizationId, [moved.email], day)
  const others = inOrder(
    open.filter(({ id, leftTime }) => id !== moved.id && leftTime === null),
    ({ arrivedTime }) => arrivedTime,
  )
  const planned = others
    .filter(({ routePlannedOrder, isSkipped }) => routePlannedOrder !== null && !isSkipped)
    .map((stop) => dayStopOf(stop, hub, now))
  if (planned.length === 0 && !moved.before) return []
  const added: PlannedStop = {
    ...dayStop({ ...moved, lngLat: moved.position }),
    orderIndex: moved.before?.orderIndex ?? 0,
    routePlannedOrder: moved.before?.routePlannedOrder ?? null,
    routingResultId: null,
  }
  const isToday = secondsOf(now) >= secondsOf(day.from)
  const worker = workerOf(hub, moved.email, day.from)
  if (isToday) worker.from = (await seenAt(tx, organizationId, moved.email, day.from)) ?? worker.from
  const places = [worker.from, added.lngLat, ...planned.map(({ lngLat }) => lngLat)]
    .filter((place) => place !== undefined)
    .slice(0, maxPlacesOfPerson)
  const context = {
    travel: lookUp(places, await travelTable(places, roads)),
    usualMinutes: defaultSettings.defaultVisitTime,
    now: isToday ? secondsOf(now) : undefined,
  }
  // The other customers know their times.
  const { at, times } = bestPosition(worker, planned, [added], context, 1)
  const order = withStops(planned, [added], at)
  const indexes = orderIndexesAt(order, at)
  const numbers = numbersOf(planned, moved.before)
  const placeBefore = moved.before
    ? planned.filter(({ orderIndex }) => orderIndex < (moved.before?.orderIndex ?? 0)).length
    : at
  const clock = (seconds: number | undefined) =>
    seconds === undefined ? null : formatClock(seconds - secondsOf(day.from))
  const changed = order.flatMap((stop, index): NewPlace[] => {
    const time = times.stops[index]
    if (stop.isDone || (index < Math.min(at, placeBefore) && !indexes.has(stop.id))) return []
    return [
      {
        taskId: stop.id,
        routingResultId: stop.routingResultId,
        orderIndex: indexes.get(stop.id) ?? stop.orderIndex,
        attributes: {
          // A person who would come too early leaves later.
          eta: clock(time?.start),
          etd: clock(time?.leave),
          waitingTime: 0,
          routePlannedOrder: numbers[index] ?? index + 1,
        },
      },
    ]
  })
  const isMoved = ({ taskId }: NewPlace) => taskId === moved.id
  return [...changed.filter(isMoved), ...changed.filter((place) => !isMoved(place))]
}

const secondsOf = (at: Temporal.Instant) => Math.floor(at.epochMilliseconds / 1000)

function dayStopOf(stop: OpenStop, hub: SlotHub, now: Temporal.Instant): PlannedStop {
  const pages = hub.flows.get(stop.flowId)?.pages ?? []
  const { visitTime } = visitOfTask({ ...stop, title: null, content: null }, pages)
  const { id, hubId, lng, lat, startTime, endTime, orderIndex, routePlannedOrder, routingResultId } = stop
  const serviceMinutes = visitTime ?? defaultSettings.defaultVisitTime
  const shown = dayStop({
    id,
    hubId,
    serviceMinutes,
    lngLat: [lng, lat],
    startsAt: startTime,
    endsAt: endTime,
  })
  // Where the person is now nothing comes before.
  const doneTime = secondsOf(now) + serviceMinutes * 60
  const presence = stop.arrivedTime ? { isDone: true, doneTime } : {}
  return { ...shown, ...presence, orderIndex, routePlannedOrder, routingResultId }
}

function dayStop({
  id,
  hubId,
  lngLat,
  startsAt,
  endsAt,
  serviceMinutes,
}: Omit<MovedStop, "position" | "email" | "before"> & { lngLat: LngLat }): DayStop {
  const [startTime, endTime] = [secondsOf(startsAt), secondsOf(endsAt)]
  return {
    ...{ id, hubId, lngLat, startTime, visitMinutes: serviceMinutes },
    // The visit is over when the window is.
    endTime: Math.max(startTime, endTime - serviceMinutes * 60),
    ...{ isDone: false, doneTime: undefined, demand: {}, tags: [] },
  }
}

function workerOf(hub: SlotHub, email: string, midnight: Temporal.Instant): DayWorker {
  const vehicle = hub.vehicles.find(({ assignee }) => assignee === email)
  const span = (times: { startTime: string; endTime: string } | null | undefined) => {
    const [start, end] = [parseClock(times?.startTime ?? ""), parseClock(times?.endTime ?? "")]
    if (start === undefined || end === undefined || end <= start) return undefined
    return { start: secondsOf(midnight) + start, end: secondsOf(midnight) + end }
  }
  return {
    ...{ hubIds: "all", from: hub.position, capacity: {}, tags: [], hasVehicle: vehicle !== undefined },
    shift: span({ ...defaultWorkingTime, ...vehicle?.workingTime }),
    pause: span(vehicle?.breakTime),
  }
}

/** Where somebody was last seen since a moment. */
async function seenAt(
  tx: Tx,
  organizationId: string,
  email: string,
  since: Temporal.Instant,
): Promise<LngLat | undefined> {
  const [newest] = await latestPositions(tx, organizationId, [email])
  if (!newest) return undefined
  const at = Temporal.Instant.from(`${newest.createdTime.replace(" ", "T")}Z`)
  return Temporal.Instant.compare(at, since) < 0 ? undefined : [Number(newest.lon), Number(newest.lat)]
}

/** The places in the route that its stops have, in ascending order, and one more for a stop that had none. */
function numbersOf(planned: readonly PlannedStop[], before: MovedStop["before"]): number[] {
  const taken = planned.flatMap(({ routePlannedOrder }) => routePlannedOrder ?? [])
  return [...taken, before?.routePlannedOrder ?? Math.max(0, ...taken) + 1].toSorted(
    (one, other) => one - other,
  )
}
