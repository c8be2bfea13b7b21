import type { Sql } from "#core/database/database.ts"
import { formatDegrees } from "#packages/geodesy/lng-lat-text.ts"
import { toT3 } from "#shared/wire-time.ts"
import { keptDays } from "./settings.ts"

/** Where some members of an organization were seen last; who never sent a position is left out. */
export async function latestPositions(sql: Sql, organizationId: string, emails: readonly string[]) {
  const rows = await sql<
    {
      email: string
      name: string
      phoneNumber: string | null
      lat: number
      lng: number
      recordedAt: Temporal.Instant
    }[]
  >`
    select users.email, users.name, users.phone_number, newest.lat, newest.lng, newest.recorded_at
    from users join person_positions newest
      on newest.organization_id = users.organization_id and newest.person_number = users.number
    left join location_settings settings on settings.organization_id = users.organization_id
    where users.organization_id = ${organizationId} and users.email = any (${emails as string[]}) and users.status = 'active'
      and newest.recorded_at > now() - coalesce(settings.retention_days, ${keptDays}::int) * interval '1 day'
    order by users.email`
  return rows.map((row) => ({
    email: row.email,
    lat: formatDegrees(row.lat),
    lon: formatDegrees(row.lng),
    createdTime: toT3(row.recordedAt),
    user: { name: row.name, phoneNumber: row.phoneNumber },
  }))
}

export interface SeenPerson {
  organizationId: string
  email: string
  lat: number
  lng: number
  recordedAt: Temporal.Instant
  receivedAt: Temporal.Instant
}

/** The newest positions that arrived since a moment, of people of all organizations. */
export function seenSince(sql: Sql, since: Temporal.Instant): Promise<SeenPerson[]> {
  return sql<SeenPerson[]>`
    select organization_id, email, lat, lng, recorded_at, received_at from person_positions where received_at > ${since}`
}
