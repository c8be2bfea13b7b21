import type { Sql } from "#core/database/database.ts"
import { readPoints } from "../read-track.ts"
import { findMembers, type Tenant } from "../store/people.ts"
import { trackerSources } from "../thinning/point-codes.ts"
import { legDistances } from "../track/distance.ts"
import { idleMetersPerSecond } from "../track/movement.ts"
import { orderedTrack } from "../track/track.ts"
import { contextMilliseconds } from "../track/track-segment.ts"

export interface DrivenHour {
  /** Milliseconds since 1970. */
  hour: number
  meters: number
  engineSeconds: number
  /** Measured by a device in the vehicle. */
  isByDevice: boolean
}

const hourMilliseconds = 3_600_000
const dayMilliseconds = 24 * hourMilliseconds
/** A longer silence says nothing about the engine. */
const maxGapMilliseconds = 600_000
/** Faster than this, a device's odometer was replaced or misread. */
const maxMetersPerSecond = 70

/**
 * What somebody has driven, by hour: by the odometer and the ignition that the tracker in the vehicle reports, else by the
 * plausible positions, with the engine on while they move. A leg belongs to the hour in which it ends.
 */
export async function drivenHours(
  sql: Sql,
  tenant: Tenant,
  { email, from, to }: { email: string; from: Temporal.Instant; to: Temporal.Instant },
): Promise<DrivenHour[]> {
  const person = (await findMembers(sql, tenant, [email])).get(email)
  if (!person) return []
  const hours = new Map<number, DrivenHour>()
  const end = to.epochMilliseconds
  for (let start = from.epochMilliseconds; start < end; start += dayMilliseconds) {
    const part = {
      sql,
      tenant,
      personNumber: person.number,
      start,
      end: Math.min(end, start + dayMilliseconds),
    }
    const [byTrack, byDevice] = [await trackedHours(part), await measuredHours(part)]
    for (const hour of new Set([...byTrack.keys(), ...byDevice.keys()])) {
      const [track, device] = [byTrack.get(hour), byDevice.get(hour)]
      hours.set(hour, {
        hour,
        meters: device?.meters ?? track?.meters ?? 0,
        engineSeconds: device?.engineSeconds ?? track?.engineSeconds ?? 0,
        isByDevice: device?.meters !== undefined || device?.engineSeconds !== undefined,
      })
    }
  }
  return [...hours.values()].filter(({ meters, engineSeconds }) => meters > 0 || engineSeconds > 0)
}

interface Part {
  sql: Sql
  tenant: Tenant
  personNumber: number
  start: number
  end: number
}

const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds)
const hourOf = (milliseconds: number) => Math.floor(milliseconds / hourMilliseconds) * hourMilliseconds

async function trackedHours({ sql, tenant, personNumber, start, end }: Part) {
  const span = { from: instant(start - contextMilliseconds), to: instant(end + contextMilliseconds) }
  const points = await readPoints(sql, { tenant, personNumber, ...span }, null)
  const legs = legDistances(orderedTrack(points))
  const hours = new Map<number, { meters: number; engineSeconds: number }>()
  for (const [index, { recordedAt }] of points.entries()) {
    if (recordedAt < start || recordedAt >= end) continue
    const meters = legs[index] ?? 0
    const gap = recordedAt - (points[index - 1]?.recordedAt ?? recordedAt)
    const isMoving = gap > 0 && gap <= maxGapMilliseconds && meters / (gap / 1000) >= idleMetersPerSecond
    const hour = hours.get(hourOf(recordedAt)) ?? { meters: 0, engineSeconds: 0 }
    hour.meters += meters
    if (isMoving) hour.engineSeconds += gap / 1000
    hours.set(hourOf(recordedAt), hour)
  }
  return hours
}

/** Of trackers only: what the apps of phones send as `data` has no known units. */
async function measuredHours({ sql, tenant, personNumber, start, end }: Part) {
  const rows = await sql<{ at: number; kilometers: number | null; ignition: boolean | null }[]>`
    select floor(extract(epoch from recorded_at) * 1000)::bigint as at,
      case when jsonb_typeof(extra -> 'data' -> 'odometer') = 'number' then (extra -> 'data' ->> 'odometer')::float8 end as kilometers,
      case when jsonb_typeof(extra -> 'data' -> 'ignition') = 'boolean' then (extra -> 'data' ->> 'ignition')::boolean end as ignition
    from location_points
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber}
      and recorded_at >= ${instant(start - hourMilliseconds)} and recorded_at < ${instant(end)}
      and source = any (${[...trackerSources]}::smallint[]) and (extra -> 'data' ? 'odometer' or extra -> 'data' ? 'ignition')
    order by recorded_at`
  const hours = new Map<number, { meters?: number; engineSeconds?: number }>()
  let last: { at: number; kilometers: number } | undefined
  let on: { at: number; isOn: boolean } | undefined
  for (const { at, kilometers, ignition } of rows) {
    const hour = at >= start ? (hours.get(hourOf(at)) ?? {}) : {}
    if (kilometers !== null) {
      const meters = last ? (kilometers - last.kilometers) * 1000 : 0
      const isPlausible =
        last !== undefined && meters >= 0 && meters <= ((at - last.at) / 1000) * maxMetersPerSecond + 1000
      hour.meters = (hour.meters ?? 0) + (isPlausible ? meters : 0)
      last = { at, kilometers }
    }
    if (ignition !== null) {
      const gap = on ? at - on.at : 0
      const seconds = on?.isOn && gap <= maxGapMilliseconds ? gap / 1000 : 0
      hour.engineSeconds = (hour.engineSeconds ?? 0) + seconds
      on = { at, isOn: ignition }
    }
    if (at >= start) hours.set(hourOf(at), hour)
  }
  return hours
}
