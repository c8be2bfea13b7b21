import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { locationErrors } from "../errors.ts"
import { findMembers } from "../store/people.ts"
import { isInSight } from "./visible-people.ts"

/** What a tracking token shows: one person on one day. */
export interface SharedDay {
  organizationId: string
  linkId: string
  userId: string
  /** `YYYY-MM-DD`, cut in the time zone of the person's hub. */
  day: string
  /** Epoch milliseconds. */
  expiresAt: number
}

const lifeDays = 7

/** Makes the link of a person and a day; its token works for seven days unless it is revoked. */
export async function createLink(
  sql: Sql,
  caller: Caller,
  options: { email: string; day: string | undefined },
  secret: Buffer,
  now: Temporal.Instant,
): Promise<{ token: string; link: SharedDay }> {
  const person = (await findMembers(sql, caller, [options.email])).values().next().value
  if (!person) throw locationErrors.badEmail({ fields: { email: ["is not a member of your organization"] } })
  const zone = await timeZoneOf(sql, caller.organizationId, person.userId)
  const link: SharedDay = {
    organizationId: caller.organizationId,
    linkId: newId(),
    userId: person.userId,
    day: options.day ?? now.toZonedDateTimeISO(zone).toPlainDate().toString(),
    expiresAt: now.add({ hours: 24 * lifeDays }).epochMilliseconds,
  }
  await sql`
    insert into location_links (organization_id, id, user_id, day, created_by, created_time, expires_at)
    values (${link.organizationId}, ${link.linkId}, ${link.userId}, ${link.day}, ${caller.email}, ${now},
      ${Temporal.Instant.fromEpochMilliseconds(link.expiresAt)})`
  return { token: sealLink(link, secret), link }
}

/** The zone in which a person's days are cut: that of their first hub, else of the organization. */
export async function timeZoneOf(sql: Sql, organizationId: string, userId: string): Promise<string> {
  const rows = await sql<{ timeZone: string }[]>`
    select coalesce((
      select coalesce(hubs.time_zone, organizations.time_zone) from user_hubs h
      join hubs on hubs.organization_id = h.organization_id and hubs.id = h.hub_id
      where h.organization_id = organizations.id and h.user_id = ${userId} order by h.hub_id limit 1), 'UTC') as time_zone
    from organizations where id = ${organizationId}`
  return rows[0]?.timeZone ?? "UTC"
}

/** Base64 of `{data, expiration}`: `data` is sealed (AES-256-GCM), `expiration` only informs the holder. */
export function sealLink(link: SharedDay, secret: Buffer): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", secret, nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(link), "utf8"), cipher.final()])
  const data = Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")
  const expiration = `${new Date(link.expiresAt).toISOString().slice(0, 23)}000Z`
  return Buffer.from(JSON.stringify({ data, expiration })).toString("base64")
}

/** The sealed part, or undefined for anything that we did not make. The outer expiration is not trusted. */
export function openLink(token: string, secret: Buffer): SharedDay | undefined {
  try {
    const outer = JSON.parse(Buffer.from(token, "base64").toString("utf8")) as { data?: unknown }
    if (typeof outer.data !== "string") return undefined
    const raw = Buffer.from(outer.data, "base64")
    if (raw.length < 29) return undefined
    const decipher = createDecipheriv("aes-256-gcm", secret, raw.subarray(0, 12), { authTagLength: 16 })
    decipher.setAuthTag(raw.subarray(12, 28))
    const text = Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString("utf8")
    return JSON.parse(text) as SharedDay
  } catch {
    // Whatever is wrong with a stranger's text, it is not ours.
    return undefined
  }
}

export interface LinkRow {
  id: Id<"link">
  userId: string
  number: number
  email: string
  name: string
  day: string
  createdBy: string | null
  createdTime: Temporal.Instant
  expiresAt: Temporal.Instant
}

/** Links that are neither revoked nor expired, newest first. */
export async function listLinks(sql: Sql, caller: Caller, now: Temporal.Instant): Promise<LinkRow[]> {
  return sql<LinkRow[]>`
    select link.id, link.user_id, users.number, users.email, users.name, link.day, link.created_by, link.created_time,
      link.expires_at
    from location_links link
    join users on users.organization_id = link.organization_id and users.id = link.user_id
    where link.organization_id = ${caller.organizationId} and link.revoked_at is null and link.expires_at > ${now}
    order by link.created_time desc limit 1000`
}

/** Revokes a link of a person whom the caller sees, and returns who that is. */
export async function revokeLink(
  tx: Tx,
  caller: Caller,
  linkId: string,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const rows = await tx<{ userId: string }[]>`
    update location_links link set revoked_at = ${now} from users
    where link.organization_id = ${caller.organizationId} and link.id = ${linkId.toLowerCase()}
      and link.revoked_at is null
      and users.organization_id = link.organization_id and users.id = link.user_id and ${isInSight(tx, caller)}
    returning link.user_id`
  return rows[0]?.userId
}

/** Whom a link shows; undefined when the person or the link no longer exists. */
export async function findSharedPerson(
  sql: Sql,
  link: SharedDay,
): Promise<{ number: number; name: string; organizationNumber: number; revokedAt: unknown } | undefined> {
  const rows = await sql<{ number: number; name: string; organizationNumber: number; revokedAt: unknown }[]>`
    select users.number, users.name, organizations.number as organization_number, link.revoked_at from location_links link
    join users on users.organization_id = link.organization_id and users.id = link.user_id
    join organizations on organizations.id = link.organization_id
    where link.organization_id = ${link.organizationId} and link.id = ${link.linkId}`
  return rows[0]
}

/** What a link that is not revoked shows, for its short address. */
export async function findSharedDay(
  sql: Sql,
  organizationId: string,
  linkId: string,
): Promise<SharedDay | undefined> {
  const [row] = await sql<{ userId: string; day: string; expiresAt: Temporal.Instant }[]>`
    select user_id, day, expires_at from location_links
    where organization_id = ${organizationId} and id = ${linkId} and revoked_at is null`
  if (!row) return undefined
  const { userId, day, expiresAt } = row
  return { organizationId, linkId, userId, day, expiresAt: expiresAt.epochMilliseconds }
}
