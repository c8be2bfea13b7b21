import type { Pool } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  durationFactor,
  estimateArrivals,
  type RemainingStop,
  windowOf,
} from "../../../../packages/arrival-estimates/index.ts"
import { openTaskVisits } from "../../location/geofences/index.ts"
import type { SeenPerson } from "../../location/positions/index.ts"
import { type RoadSupply, secondsAt, usedSpeeds } from "../../location/roads/index.ts"
import { placesOfHubs } from "../../organization/hubs/index.ts"
import { timeZoneOf } from "../../organization/organizations/index.ts"
import { type FlowRow, listEveryFlow } from "../../work/flows/index.ts"
import { type OpenStop, openStops } from "../../work/tasks/index.ts"
import { usualBreak, workTimesOfVehicles } from "../../work/vehicles/index.ts"
import { parseClock, visitOfTask } from "../routes/index.ts"
import { legTimes } from "./leg-times.ts"
import { hourAt, type Model, plannedService, readModel } from "./model.ts"
import { inOrder } from "./stop-order.ts"

/** One computed estimate, before it is stored. Times in epoch seconds. */
export interface NewEstimate {
  taskId: string
  hubId: string
  email: string
  arrival: number
  earliest: number
  latest: number
  modelArrival: number
  deviation: number
  stopsBefore: number
  opens: number | null
  deadline: number
  basis: "road" | "straight"
}

export interface PersonEstimates {
  email: string
  stops: number
  estimates: NewEstimate[]
}

/** A position further back does not say where somebody is now. */
const positionHours = 12
/** An open task is left out of the day when its time ended so long ago. */
const overdueHours = 24
const maxStops = 80

export interface EstimateContext {
  sql: Pool
  now: Temporal.Instant
  roads: Exclude<RoadSupply, undefined>
  signal: AbortSignal
}

interface Day extends EstimateContext {
  model: Model
  /** The organization's own speeds on roads. */
  speeds: Awaited<ReturnType<typeof usedSpeeds>>
  flows: ReadonlyMap<string, FlowRow>
  hubs: ReadonlyMap<string, { lat: number; lng: number; timeZone: string }>
  vehicles: Awaited<ReturnType<typeof workTimesOfVehicles>>
  visits: ReadonlyMap<string, Temporal.Instant>
}

/** The estimates of some people of an organization. */
export async function estimatePeople(
  context: EstimateContext,
  organizationId: string,
  emails: readonly string[],
  seen: ReadonlyMap<string, SeenPerson>,
): Promise<PersonEstimates[]> {
  const { sql, now } = context
  const timeZone = await timeZoneOf(sql, organizationId)
  const span = { from: now.subtract({ hours: overdueHours }), to: endOfDay(now, timeZone) }
  const stops = await openStops(sql, organizationId, emails, span)
  const stopsOf = Map.groupBy(stops, ({ email }) => email)
  if (stops.length === 0) return emails.map((email) => ({ email, stops: 0, estimates: [] }))
  const speeds = await usedSpeeds(sql, organizationId)
  const [model, flows, hubs, vehicles, visits] = await Promise.all([
    readModel(sql, organizationId, speeds !== undefined),
    listEveryFlow(sql, { organizationId } as Parameters<typeof listEveryFlow>[1]),
    placesOfHubs(sql, organizationId),
    workTimesOfVehicles(sql, organizationId),
    openTaskVisits(sql, organizationId),
  ])
  const day: Day = {
    ...context,
    model,
    speeds,
    flows: new Map(flows.map((flow) => [flow.id, flow])),
    hubs: new Map(hubs.map((hub) => [hub.id, { ...hub, timeZone: hub.timeZone ?? timeZone }])),
    vehicles,
    visits: new Map(visits.map(({ taskId, arrivedAt }) => [taskId, arrivedAt])),
  }
  const people: PersonEstimates[] = []
  for (const email of emails) {
    const own = stopsOf.get(email) ?? []
    const estimates = own.length === 0 ? [] : await estimatePerson(day, own, seen.get(email))
    people.push({ email, stops: own.length, estimates })
  }
  return people
}

async function estimatePerson(
  day: Day,
  stops: readonly OpenStop[],
  seen: SeenPerson | undefined,
): Promise<NewEstimate[]> {
  const { now, model, signal } = day
  const arrivedAt = (stop: OpenStop) => stop.arrivedTime ?? day.visits.get(stop.id) ?? null
  const ordered = inOrder(
    stops.filter(({ leftTime }) => leftTime === null),
    arrivedAt,
  ).slice(0, maxStops)
  const [first] = ordered
  const hub = day.hubs.get(first?.hubId ?? "")
  if (!first || !hub) return []
  const vehicle = day.vehicles.find(({ id }) => id === first.assignedVehicleId)
  const isSeen = seen && hoursSince(seen.recordedAt, now) < positionHours
  const start: LngLat = isSeen ? [seen.lng, seen.lat] : [hub.lng, hub.lat]
  const legs = await legTimes(
    day.sql,
    day.roads,
    [start, ...ordered.map(({ lng, lat }): LngLat => [lng, lat])],
    signal,
  )
  const nowSeconds = now.epochMilliseconds / 1000
  const clock = clockOf(now, hub.timeZone)
  const windows = ordered.map((stop) => windowOfStop(stop, day.flows.get(stop.flowId), clock))
  let roughTime = nowSeconds
  const remaining = ordered.map((stop, index): RemainingStop => {
    const leg = legs[index] ?? { seconds: 0, basis: "straight" as const }
    const time = () => Temporal.Instant.fromEpochMilliseconds(Math.round(roughTime) * 1000)
    const hour = () => hourAt(time(), hub.timeZone)
    const travelSeconds =
      secondsAt(leg, day.speeds, time()) *
      durationFactor(model.travel, { kind: leg.basis, worker: stop.email, hour: hour() })
    roughTime += travelSeconds
    const serviceSeconds =
      plannedService(stop, day.flows.get(stop.flowId)) *
      durationFactor(model.service, { kind: stop.flowId, worker: stop.email, hour: hour() })
    roughTime += serviceSeconds
    const since = index === 0 ? arrivedAt(stop) : null
    const { opens } = windows[index] ?? {}
    return {
      travelSeconds,
      serviceSeconds,
      serviceSpread: serviceSeconds * model.service.spread,
      ...(opens === undefined ? {} : { opens }),
      ...(since ? { arrivedAt: since.epochMilliseconds / 1000 } : {}),
    }
  })
  const hasBegun = isSeen || arrivedAt(first) !== null
  const shiftStart = vehicle?.workingTime ? clock(vehicle.workingTime.startTime) : undefined
  const estimates = estimateArrivals({
    now: nowSeconds,
    ...(hasBegun || shiftStart === undefined ? {} : { startsAt: shiftStart }),
    stops: remaining,
    breaks: breaksOf(vehicle ? usualBreak(vehicle) : null, clock),
    travelSpread: model.travel.spread,
  })
  return estimates.flatMap((estimate, index) => {
    const stop = ordered[index]
    if (!stop || remaining[index]?.arrivedAt !== undefined) return []
    const { opens, deadline } = windows[index] ?? {}
    const window = windowOf(model.calibration, estimate, {
      now: nowSeconds,
      ...(opens === undefined ? {} : { opens }),
    })
    return {
      taskId: stop.id,
      hubId: stop.hubId,
      email: stop.email,
      ...window,
      modelArrival: estimate.arrival,
      deviation: estimate.deviation,
      stopsBefore: estimate.stopsBefore,
      opens: opens ?? null,
      deadline: deadline ?? stop.endTime.epochMilliseconds / 1000,
      basis: legs.slice(0, index + 1).every(({ basis }) => basis === "road") ? "road" : "straight",
    }
  })
}

/** Epoch seconds of a clock time of the day that `now` is in. */
function clockOf(now: Temporal.Instant, timeZone: string): (text: string | null) => number | undefined {
  const midnight = now.toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds / 1000
  return (text) => {
    const seconds = text === null ? undefined : parseClock(text)
    return seconds === undefined ? undefined : midnight + seconds
  }
}

function windowOfStop(
  stop: OpenStop,
  flow: FlowRow | undefined,
  clock: (text: string | null) => number | undefined,
): { opens: number; deadline: number } {
  const { timeWindow } = visitOfTask({ ...stop, title: null, content: null }, flow?.pages ?? [])
  const opens = Math.max(stop.startTime.epochMilliseconds / 1000, clock(timeWindow.startTime) ?? 0)
  const ends = stop.endTime.epochMilliseconds / 1000
  const closes = clock(timeWindow.endTime)
  return { opens, deadline: closes !== undefined && closes > opens ? Math.min(ends, closes) : ends }
}

function breaksOf(
  breakTime: { startTime: string; endTime: string } | null,
  clock: (text: string | null) => number | undefined,
): [number, number][] {
  const [from, to] = [clock(breakTime?.startTime ?? null), clock(breakTime?.endTime ?? null)]
  return from !== undefined && to !== undefined && to > from ? [[from, to]] : []
}

function endOfDay(now: Temporal.Instant, timeZone: string): Temporal.Instant {
  return now.toZonedDateTimeISO(timeZone).startOfDay().add({ days: 1 }).toInstant()
}

function hoursSince(time: Temporal.Instant, now: Temporal.Instant): number {
  return (now.epochMilliseconds - time.epochMilliseconds) / 3_600_000
}
