import type { Caller } from "#core/access/caller.ts"
import { may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { HubRow } from "../../organization/hubs/index.ts"
import { listHubs } from "../../organization/hubs/index.ts"
import { type DayPerson, findDayPeople } from "../../people/users/index.ts"
import { type FlowPage, findFlows } from "../../work/flows/index.ts"
import { type DayTask, findDayTasks } from "../../work/tasks/index.ts"
import { findDrivenVehicles, usualBreak, type VehicleRow } from "../../work/vehicles/index.ts"
import { readEstimates } from "../eta/index.ts"
import { defaultSettings, parseClock, visitOfTask } from "../routes/index.ts"
import { deskErrors } from "./errors.ts"
import { maxDayPeople, maxDayTasks, type WireDay, type WireDayPerson, type WireDayTask } from "./schemas.ts"

export interface DayInput {
  hubId?: string | undefined
  date?: string | undefined
}

/** Open tasks that were due up to a week before the day are still to be done. */
const overdueDays = 7

/** The day of one hub, or of all of the caller's: tasks, the people who may do them, and their vehicles. */
export async function readDay(
  sql: Sql,
  caller: Caller,
  { hubId, date }: DayInput,
  context: { now: Temporal.Instant; hasRoads: boolean },
): Promise<WireDay> {
  const [hubs, flows, vehicles] = await Promise.all([
    listHubs(sql, caller, { direction: "asc" }),
    findFlows(sql, caller),
    findDrivenVehicles(sql, caller, hubId),
  ])
  const hub = hubs.find(({ id }) => id === hubId?.toLowerCase())
  if (hubId !== undefined && !hub) throw deskErrors.badHub()
  const timeZone = hub?.timeZone ?? caller.timeZone
  const day = date ? Temporal.PlainDate.from(date) : context.now.toZonedDateTimeISO(timeZone).toPlainDate()
  const from = day.toZonedDateTime(timeZone).toInstant()
  const until = day.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
  const mapped = new Map(flows.map((flow) => [flow.id as string, mappedPages(flow.pages)]))
  const componentIds = [...mapped.values()].flatMap((pages) =>
    pages.flatMap(({ components }) => components.map(({ id }) => id)),
  )
  const { tasks, total } = await findDayTasks(sql, caller, {
    from,
    until,
    openSince: from.subtract({ hours: overdueDays * 24 }),
    hubId,
    componentIds: [...new Set(componentIds)],
    limit: maxDayTasks,
  })
  const open = tasks.filter(({ status }) => status === "ONGOING").map(({ id }) => id)
  const [{ people, total: personTotal }, estimates] = await Promise.all([
    findDayPeople(sql, caller, {
      hubId,
      emails: [...new Set(tasks.flatMap(({ assignee }) => assignee))],
      onlyThese: !may(caller, "assign/task"),
      limit: maxDayPeople,
    }),
    readEstimates(sql, open),
  ])
  const vehicleOf = new Map(vehicles.toReversed().map((vehicle) => [vehicle.assignee, vehicle]))
  const hubOf = new Map(hubs.map((known) => [known.id as string, known]))
  return {
    date: day.toString(),
    timeZone,
    from: secondsOf(from),
    until: secondsOf(until),
    defaultVisitMinutes: defaultSettings.defaultVisitTime,
    defaultSpeed: defaultSettings.defaultSpeed,
    hasRoads: context.hasRoads,
    taskTotal: total,
    personTotal,
    tasks: tasks.map((task) => ({
      ...toWireTask(task, mapped.get(task.flowId) ?? []),
      ...expectedAt(estimates.get(task.id)?.arrival),
    })),
    people: people.map((person) => {
      const vehicle = vehicleOf.get(person.email)
      const ownHub = hubOf.get(vehicle?.hubId ?? person.hubIds[0] ?? "")
      return toWirePerson(person, vehicle, ownHub, { day, timeZone })
    }),
  }
}

const expectedAt = (arrival: Temporal.Instant | undefined) =>
  arrival ? { expectedArrival: secondsOf(arrival) } : {}

const secondsOf = (instant: Temporal.Instant) => Math.floor(instant.epochMilliseconds / 1000)

/** The components that planning reads: how long a visit takes, what it asks of a vehicle and what it weighs. */
function mappedPages(pages: readonly FlowPage[]): FlowPage[] {
  const isRead = (routeAs: unknown) =>
    typeof routeAs === "string" && /^(VisitDuration|Tag|Constraint\.)/.test(routeAs)
  return pages.flatMap((page) => {
    const components = page.components.filter(({ routeAs }) => isRead(routeAs))
    return components.length > 0 ? [{ ...page, components }] : []
  })
}

function toWireTask(task: DayTask, pages: readonly FlowPage[]): WireDayTask {
  const {
    id,
    title,
    content,
    doneTime,
    refId,
    outcome,
    priority,
    tags,
    values,
    flowId: _flow,
    ...rest
  } = task
  const visit = values && pages.length > 0 ? visitOfTask({ ...task, values }, pages) : undefined
  const demand = Object.entries(visit?.capacity ?? {}).filter(([, amount]) => amount !== 0)
  return {
    ...rest,
    _id: id,
    title: title || task.flow,
    ...(content ? { content } : {}),
    ...(doneTime === null ? {} : { doneTime }),
    ...(refId ? { refId } : {}),
    ...(outcome ? { outcome } : {}),
    ...(priority ? { priority } : {}),
    ...(tags?.length ? { labels: tags } : {}),
    ...(visit && visit.visitTime !== null ? { visitMinutes: visit.visitTime } : {}),
    ...(visit?.tags.length ? { tags: visit.tags } : {}),
    ...(demand.length > 0 ? { demand: Object.fromEntries(demand) } : {}),
  }
}

interface DayOfZone {
  day: Temporal.PlainDate
  timeZone: string
}

function toWirePerson(
  { id, email, name, hubIds, isOwner }: DayPerson,
  vehicle: VehicleRow | undefined,
  hub: HubRow | undefined,
  { day, timeZone }: DayOfZone,
): WireDayPerson {
  const zone = { day, timeZone: hub?.timeZone ?? timeZone }
  return {
    _id: id,
    email,
    name,
    hubIds: isOwner ? [] : hubIds,
    hasAllHubs: isOwner,
    ...(hub ? { start: { lat: hub.lat, lng: hub.lng } } : {}),
    vehicle: vehicle
      ? {
          _id: vehicle.id,
          name: vehicle.name,
          speed: vehicle.speed,
          tags: vehicle.tags,
          capacity: vehicle.capacity,
          shift: spanOf(vehicle.workingTime, zone),
          pause: spanOf(usualBreak(vehicle), zone),
          lat: hub?.lat ?? 0,
          lng: hub?.lng ?? 0,
        }
      : null,
  }
}

/** Clock times of the day as epoch seconds; an end at or before the start is on the next day. */
function spanOf(
  clock: { startTime: string; endTime: string; multiday?: number } | null,
  { day, timeZone }: DayOfZone,
): { start: number; end: number } | null {
  const [start, end] = [parseClock(clock?.startTime ?? ""), parseClock(clock?.endTime ?? "")]
  if (start === undefined || end === undefined) return null
  const at = (seconds: number, days: number) => {
    const midnight = day.add({ days: days + Math.floor(seconds / 86_400) })
    const time = Temporal.PlainTime.from("00:00").add({ seconds: seconds % 86_400 })
    return secondsOf(midnight.toZonedDateTime({ timeZone, plainTime: time }).toInstant())
  }
  const days = clock?.multiday ?? 0
  return { start: at(start, 0), end: at(end, days === 0 && end <= start ? 1 : days) }
}
