import type { Sql } from "#core/database/database.ts"
import { installationSecret } from "#core/security/secrets.ts"
import { locationErrors } from "../errors.ts"
import { listRecords } from "../records/list-records.ts"
import { toWireLocation } from "../records/record-rows.ts"
import { findSharedDay, findSharedPerson, openLink, type SharedDay, timeZoneOf } from "./links.ts"

/** Whose position a link shows, where they were last on its day, and until when it says so. */
export interface SharedPosition {
  name: string
  zone: string
  position: { lat: number; lng: number; at: Temporal.Instant } | null
  expiresAt: Temporal.Instant
  /** Whether the day has not ended: the position may change. */
  isOpen: boolean
}

/** The link of a token that was sent; undefined for what is none, or has expired. */
export async function sharedDayOf(
  sql: Sql,
  token: string,
  now: Temporal.Instant,
): Promise<SharedDay | undefined> {
  const link = openLink(token, await installationSecret(sql, "tracking-links"))
  return link && link.expiresAt > now.epochMilliseconds ? link : undefined
}

/** Undefined when the link was revoked or its person is gone. */
export async function findSharedPosition(
  sql: Sql,
  organizationId: string,
  linkId: string,
  now: Temporal.Instant,
): Promise<SharedPosition | undefined> {
  const link = await findSharedDay(sql, organizationId, linkId)
  const found = link && (await newestOf(sql, link, now))
  if (!found) return undefined
  const { name, zone, to, rows } = found
  const [row] = rows
  return {
    ...{ name, zone },
    position: row ? { lat: row.lat, lng: row.lng, at: row.recordedAt } : null,
    expiresAt: Temporal.Instant.fromEpochMilliseconds(link.expiresAt),
    isOpen: Temporal.Instant.compare(now, to) < 0,
  }
}

/** At most one record, without private fields. Refuses a link that was revoked meanwhile. */
export async function sharedRecords(sql: Sql, link: SharedDay, now: Temporal.Instant) {
  const found = await newestOf(sql, link, now)
  if (!found) throw locationErrors.linkExpired()
  return found.rows.map((row) => {
    const {
      data: _data,
      createdBy: _createdBy,
      updatedBy: _updatedBy,
      ...shown
    } = toWireLocation(row, found.tenant)
    return shown
  })
}

async function newestOf(sql: Sql, link: SharedDay, now: Temporal.Instant) {
  const person = await findSharedPerson(sql, link)
  if (!person || person.revokedAt) return undefined
  const zone = await timeZoneOf(sql, link.organizationId, link.userId)
  const day = Temporal.PlainDate.from(link.day)
  const from = day.toZonedDateTime(zone).toInstant()
  const to = day.add({ days: 1 }).toZonedDateTime(zone).toInstant().subtract({ milliseconds: 1 })
  const tenant = { organizationId: link.organizationId, organizationNumber: person.organizationNumber }
  const rows = await listRecords(
    sql,
    {
      tenant,
      people: [person.number],
      taskId: undefined,
      timeBy: "createdTime",
      from,
      to,
      startFinish: undefined,
      isLatest: undefined,
      eventName: undefined,
      createdFrom: undefined,
      now,
    },
    "desc",
    { page: 1, limit: 1, offset: 0 },
  )
  return { name: person.name, zone, to, tenant, rows }
}
