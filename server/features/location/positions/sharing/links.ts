import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { locationErrors } from "../errors.ts"
import { findMembers } from "../store/people.ts"

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
