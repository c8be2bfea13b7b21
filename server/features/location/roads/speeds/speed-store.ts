import { json, type Sql, type Tx } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import {
  type ClassTimes,
  emptyHistory,
  hourlySlowness,
  hourOfWeek,
  hoursOfWeek,
  isEnough,
  isMotorized,
  learnSpeeds,
  packHistory,
  type SpeedHistory,
  type StoredHistory,
  type Stretch,
  secondsInHour,
  slownessOf,
  speedFactors,
  type TravelOptions,
  unpackHistory,
} from "../../../../../packages/road-network/index.ts"
import { timeZoneOf } from "../../../organization/organizations/index.ts"

export interface RoadSpeeds {
  isUsed: boolean
  history: SpeedHistory
  learnedUntil: Temporal.Instant | null
  learnedAt: Temporal.Instant | null
}

type Row = Omit<RoadSpeeds, "history"> & { history: StoredHistory }

export async function readSpeeds(sql: Sql, organizationId: string): Promise<RoadSpeeds> {
  const [row] = await sql<Row[]>`
    select is_used, history, learned_until, learned_at from road_speeds where organization_id = ${organizationId}`
  return row
    ? { ...row, history: unpackHistory(row.history) }
    : { isUsed: true, history: emptyHistory(), learnedUntil: null, learnedAt: null }
}

export async function switchSpeeds(sql: Sql, organizationId: string, isUsed: boolean): Promise<void> {
  await sql`
    insert into road_speeds (organization_id, is_used) values (${organizationId}, ${isUsed})
    on conflict (organization_id) do update set is_used = excluded.is_used`
}

/**
 * Begins again: what was learned so far no longer counts, nor do the positions that it was learned from. Another row takes the
 * place of the deleted one, which can come back for some minutes.
 */
export async function deleteSpeeds(tx: Tx, organizationId: string, now: Temporal.Instant): Promise<void> {
  const [before] = await tx<{ isUsed: boolean }[]>`
    delete from road_speeds where organization_id = ${organizationId} returning is_used`
  await tx`
    insert into road_speeds (organization_id, is_used, learned_until)
    values (${organizationId}, ${before?.isUsed ?? true}, ${now})`
}

/** After some months, half of what was learned has faded. */
const keptPerNight = 0.993

/** Adds stretches once: false if positions up to `since` are no longer the last ones that were read. */
export async function storeStretches(
  sql: Sql,
  organizationId: string,
  stretches: readonly Stretch[],
  span: { since: Temporal.Instant | null; until: Temporal.Instant; now: Temporal.Instant },
): Promise<boolean> {
  const before = await readSpeeds(sql, organizationId)
  const history = json(sql, packHistory(learnSpeeds(before.history, stretches, keptPerNight)))
  const stored = await sql`
    insert into road_speeds (organization_id, history, learned_until, learned_at)
    values (${organizationId}, ${history}, ${span.until}, ${span.now})
    on conflict (organization_id) do update
      set history = excluded.history, learned_until = excluded.learned_until, learned_at = excluded.learned_at
      where road_speeds.learned_until is not distinct from ${span.since}::timestamptz
    returning 1`
  return stored.length > 0
}

/** What corrects the times of an organization. */
export interface UsedSpeeds {
  slowness: Float64Array
  /** The same for all classes of road together, by hour of the week. */
  hourly: Float64Array
  timeZone: string
}

interface Known {
  speeds: UsedSpeeds | undefined
  until: number
}

const cacheMilliseconds = 10_000
const maxKnown = 1_000
const knownOf = ownedState((_pool: Sql) => new Map<string, Known>())

/** Undefined where an organization has switched its speeds off, or has driven too little. Cached for some seconds. */
export async function usedSpeeds(pool: Sql, organizationId: string): Promise<UsedSpeeds | undefined> {
  const known = knownOf(pool)
  const entry = known.get(organizationId)
  if (entry && entry.until > performance.now()) return entry.speeds
  const { isUsed, history } = await readSpeeds(pool, organizationId)
  const slowness = isUsed && isEnough(history) ? slownessOf(history) : undefined
  const speeds = slowness && {
    slowness,
    hourly: hourlySlowness(history, slowness),
    timeZone: await timeZoneOf(pool, organizationId),
  }
  known.delete(organizationId)
  known.set(organizationId, { speeds, until: performance.now() + cacheMilliseconds })
  for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest)
  return speeds
}

/** After a change: this node follows it at once, others within seconds. */
export function invalidateSpeeds(pool: Sql, organizationId: string): void {
  knownOf(pool).delete(organizationId)
}

export function hourOfWeekAt(at: Temporal.Instant, timeZone: string): number {
  const { dayOfWeek, hour } = at.toZonedDateTimeISO(timeZone)
  return hourOfWeek(dayOfWeek, hour)
}

/** When somebody drives: a moment, or hours of the organization's week that count alike. */
export type TravelTime = Temporal.Instant | readonly number[]

/** The options with the organization's speeds at a time of travel. */
export async function atSpeedsOf(
  pool: Sql,
  organizationId: string,
  options: TravelOptions,
  when: TravelTime | undefined,
): Promise<TravelOptions> {
  if (when === undefined || !isMotorized(options.mode)) return options
  const speeds = await usedSpeeds(pool, organizationId)
  if (!speeds) return options
  const hours = when instanceof Temporal.Instant ? [hourOfWeekAt(when, speeds.timeZone)] : when
  const factors = speedFactors(speeds.slowness, hours)
  return factors ? { ...options, speedFactors: factors } : options
}

/**
 * How much longer than in the mean of some hours of the week a drive takes in each hour of their first day, from midnight; the
 * hours themselves count where they are of the next day.
 */
export async function slownessByHour(
  pool: Sql,
  organizationId: string,
  { mode }: TravelOptions,
  hours: readonly number[],
): Promise<number[] | undefined> {
  const speeds = isMotorized(mode) ? await usedSpeeds(pool, organizationId) : undefined
  const [first] = hours
  if (!speeds || first === undefined) return undefined
  const slownessIn = (hour: number) => speeds.hourly[hour % hoursOfWeek] as number
  const mean = hours.reduce((sum, hour) => sum + slownessIn(hour), 0) / hours.length
  const midnight = Math.floor(first / 24) * 24
  return Array.from({ length: 24 }, (_, hour) => {
    const atWork = hours.find((one) => one % 24 === hour)
    return slownessIn(atWork ?? midnight + hour) / mean
  })
}

/** Seconds of a leg that begins at a moment, at the organization's speeds. */
export function secondsAt(
  leg: { seconds: number; times?: ClassTimes | undefined },
  speeds: UsedSpeeds | undefined,
  at: Temporal.Instant,
): number {
  if (!speeds || !leg.times) return leg.seconds
  return secondsInHour(speeds.slowness, hourOfWeekAt(at, speeds.timeZone), leg.times)
}
