import type { AlertKind, RuleSettings } from "./schemas.ts"

/** What a rule watches at a moment: read once for all rules of an organization. */
export interface Situation {
  now: Temporal.Instant
  people: readonly PersonNow[]
  alarms: readonly AlarmNow[]
  visits: readonly GeofenceVisitNow[]
  silent: readonly { userId: string; since: Temporal.Instant | null }[]
  tasks: readonly LateTask[]
  plans: readonly DuePlan[]
  defects: readonly OpenDefect[]
  /** Emails of the drivers of vehicles, by vehicle. */
  drivers: ReadonlyMap<string, string>
  timeZoneOf(hubId: string | undefined): string
}

export interface PersonNow {
  userId: string
  email: string
  name: string
  hubIds: readonly string[]
  teamIds: readonly string[]
  lat: number | null
  lon: number | null
  /** km/h */
  speed: number | null
  accuracy: number | null
  battery: number | null
  charging: boolean | null
  time: number | null
}

/** What a device reported within the last minutes. */
export interface AlarmNow {
  userId: string
  alarm: string
  startedAt: Temporal.Instant
  lat: number | null
  lng: number | null
}

export interface GeofenceVisitNow {
  id: string
  userId: string
  geofenceId: string
  placeName: string | null
  arrivedAt: Temporal.Instant
  leftAt: Temporal.Instant | null
}

export interface LateTask {
  kind: "late" | "eta"
  taskId: string
  hubId: string
  emails: readonly string[]
  deadline: Temporal.Instant
  /** Now, or the expected arrival. */
  reached: Temporal.Instant
}

/** Maintenance that is due soon or overdue. */
export interface DuePlan {
  id: string
  state: "soon" | "overdue"
  vehicleId: string | null
  hubId: string
  /** E-mail of the vehicle's driver. */
  driver: string | null
  text: string
}

/** What an inspection found and nobody has resolved. */
export type OpenDefect = Omit<DuePlan, "state"> & { taskId: string; foundAt: Temporal.Instant }

export interface Cause {
  /** The same while it lasts. */
  key: string
  userId: string | null
  email: string | null
  hubIds: readonly string[]
  taskId: string | null
  geofenceId: string | null
  details: {
    name: string | null
    placeName?: string | null
    value?: number
    text?: string
    state?: "soon" | "overdue"
    lat?: number
    lon?: number
  }
  startedAt: Temporal.Instant
  /** Undefined: as long as the rule finds it; else it is part of history and may have ended. */
  endedAt?: Temporal.Instant | null
}

export interface WatchedRule {
  kind: AlertKind
  hubId: string | null
  settings: RuleSettings
  createdTime: Temporal.Instant
}

/** Older positions say nothing about now. */
const freshMinutes = 10
/** Wider fixes have no reliable speed. */
const widestFixMeters = 100
const movingKilometersPerHour = 8

/** What a rule finds at this moment. Pure, so that a second run finds the same. */
export function causesOf(rule: WatchedRule, situation: Situation): Cause[] {
  const people = situation.people.filter((person) => concerns(rule, person, situation))
  switch (rule.kind) {
    case "enter":
    case "exit":
    case "dwell":
      return crossings(rule, situation, people)
    case "late":
    case "eta":
      return lateTasks(rule, situation)
    case "maintenance":
      return duePlans(rule, situation)
    case "inspection":
      return openDefects(rule, situation)
    case "silent": {
      const silent = new Map(situation.silent.map(({ userId, since }) => [userId, since]))
      return people
        .filter(({ userId }) => silent.has(userId))
        .map((person) => about(person, silent.get(person.userId) ?? situation.now))
    }
    case "device":
      return alarmsOf(rule, situation, people)
    default:
      return people
        .filter((person) => isFresh(person, situation.now))
        .flatMap((person) => {
          const found = reading(rule, person, situation)
          return found ? [{ ...about(person, situation.now), ...withDetails(person, found) }] : []
        })
  }
}

function concerns({ hubId, settings }: WatchedRule, person: PersonNow, { drivers }: Situation): boolean {
  const { teamIds = [], userIds = [], vehicleIds = [] } = settings
  if (hubId !== null && !person.hubIds.includes(hubId)) return false
  if (teamIds.length + userIds.length + vehicleIds.length === 0) return true
  return (
    userIds.includes(person.userId) ||
    teamIds.some((id) => person.teamIds.includes(id)) ||
    vehicleIds.some((id) => drivers.get(id) === person.email)
  )
}

const isFresh = ({ time }: PersonNow, now: Temporal.Instant) =>
  time !== null && now.epochMilliseconds - time < freshMinutes * 60_000

function about(person: PersonNow, startedAt: Temporal.Instant): Cause {
  const { userId, email, hubIds } = person
  return {
    ...{ key: `person ${userId}`, userId, email, hubIds, taskId: null, geofenceId: null, startedAt },
    ...withDetails(person, {}),
  }
}

function withDetails({ name, lat, lon }: PersonNow, found: { value?: number; text?: string }) {
  return { details: { name, ...found, ...(lat === null || lon === null ? {} : { lat, lon }) } }
}

/** What the newest position of a person says about a rule; undefined if nothing. */
function reading(
  { kind, settings }: WatchedRule,
  person: PersonNow,
  situation: Situation,
): { value?: number; text?: string } | undefined {
  const { speed, battery, accuracy } = person
  const isReliable = speed !== null && (accuracy ?? 0) <= widestFixMeters
  switch (kind) {
    case "speed":
      return isReliable && speed > (settings.kilometersPerHour ?? 120)
        ? { value: Math.round(speed) }
        : undefined
    case "battery":
      return battery !== null && battery < (settings.percent ?? 15) && person.charging !== true
        ? { value: battery }
        : undefined
    case "outsideHours":
      return isReliable && speed > movingKilometersPerHour && isOutside(settings, person, situation)
        ? { value: Math.round(speed) }
        : undefined
    default:
      return undefined
  }
}

/** Each kind of alarm of a person is one cause; an SOS that follows a power cut is another one. */
function alarmsOf({ settings }: WatchedRule, { alarms }: Situation, people: readonly PersonNow[]): Cause[] {
  const byId = new Map(people.map((person) => [person.userId, person]))
  const wanted = settings.alarms ?? []
  return alarms.flatMap(({ userId, alarm, startedAt, lat, lng }): Cause[] => {
    const person = byId.get(userId)
    if (!person || (wanted.length > 0 && !wanted.includes(alarm))) return []
    const place = lat === null || lng === null ? person : { ...person, lat, lon: lng }
    const key = `alarm ${userId} ${alarm}`
    return [{ ...about(person, startedAt), key, ...withDetails(place, { text: alarm }) }]
  })
}

const everyDay = [1, 2, 3, 4, 5, 6, 7]

/** Whether the moment lies outside of the working hours, in the time zone of the person's first hub. */
function isOutside(
  { from = "07:00", to = "19:00", weekdays = everyDay }: RuleSettings,
  { hubIds }: PersonNow,
  { now, timeZoneOf }: Situation,
): boolean {
  const local = now.toZonedDateTimeISO(timeZoneOf(hubIds[0]))
  const time = local.toPlainTime().toString({ smallestUnit: "minute" })
  const isOvernight = from > to
  // Hours over midnight belong to the day on which they begin.
  const day = isOvernight && time < to ? local.subtract({ days: 1 }).dayOfWeek : local.dayOfWeek
  const isInHours = isOvernight ? time >= from || time < to : time >= from && time < to
  return !isInHours || !weekdays.includes(day)
}

function crossings(rule: WatchedRule, situation: Situation, people: readonly PersonNow[]): Cause[] {
  const { kind, settings, createdTime } = rule
  const byId = new Map(people.map((person) => [person.userId, person]))
  const { geofenceIds = [], minutes = 0 } = settings
  return situation.visits.flatMap((visit): Cause[] => {
    const person = byId.get(visit.userId)
    if (!person || (geofenceIds.length > 0 && !geofenceIds.includes(visit.geofenceId))) return []
    const startedAt =
      kind === "enter" ? visit.arrivedAt : kind === "exit" ? visit.leftAt : visit.arrivedAt.add({ minutes })
    if (!startedAt || isBefore(startedAt, createdTime)) return []
    if (isBefore(situation.now, startedAt) || (visit.leftAt && isBefore(visit.leftAt, startedAt))) return []
    const value = kind === "dwell" ? { value: minutes } : {}
    const details = { name: person.name, placeName: visit.placeName, ...value }
    const base = { ...about(person, startedAt), key: `visit ${visit.id}`, geofenceId: visit.geofenceId }
    return [{ ...base, details, endedAt: kind === "exit" ? startedAt : visit.leftAt }]
  })
}

function lateTasks({ kind, hubId, settings }: WatchedRule, situation: Situation): Cause[] {
  const { minutes = 0, userIds = [], teamIds = [], vehicleIds = [] } = settings
  const isNarrow = userIds.length + teamIds.length + vehicleIds.length > 0
  const people = new Map(situation.people.map((person) => [person.email, person]))
  return situation.tasks.flatMap((task): Cause[] => {
    if (task.kind !== kind || (hubId !== null && task.hubId !== hubId)) return []
    const late = task.reached.since(task.deadline).total("minutes")
    if (late <= minutes) return []
    const own = task.emails.flatMap((email) => people.get(email) ?? [])
    const rule = { kind, hubId: null, settings, createdTime: situation.now }
    if (isNarrow && !own.some((person) => concerns(rule, person, situation))) return []
    const person = own[0]
    return [
      {
        key: `task ${task.taskId}`,
        userId: person?.userId ?? null,
        email: person?.email ?? null,
        hubIds: [task.hubId],
        taskId: task.taskId,
        geofenceId: null,
        details: { name: person?.name ?? null, value: Math.round(late) },
        startedAt: situation.now,
      },
    ]
  })
}

const isOf = ({ hubId, settings }: WatchedRule, subject: Pick<DuePlan, "hubId" | "vehicleId">) => {
  const { vehicleIds = [] } = settings
  if (hubId !== null && subject.hubId !== hubId) return false
  return vehicleIds.length === 0 || (subject.vehicleId !== null && vehicleIds.includes(subject.vehicleId))
}

/** Due soon is one cause, overdue the next one. */
function duePlans(rule: WatchedRule, { plans, now }: Situation): Cause[] {
  return plans
    .filter((plan) => isOf(rule, plan))
    .map(({ id, state, driver, hubId, text }) => ({
      ...{ key: `maintenance ${id} ${state}`, userId: null, email: driver, hubIds: [hubId], taskId: null },
      ...{ geofenceId: null, details: { name: null, text, state }, startedAt: now },
    }))
}

function openDefects(rule: WatchedRule, { defects }: Situation): Cause[] {
  return defects
    .filter((defect) => isOf(rule, defect))
    .map(({ id, driver, hubId, taskId, text, foundAt }) => ({
      ...{ key: `defect ${id}`, userId: null, email: driver, hubIds: [hubId], taskId },
      ...{ geofenceId: null, details: { name: null, text }, startedAt: foundAt },
    }))
}

export const isBefore = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other) < 0
