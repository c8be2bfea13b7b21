import type { Caller } from "#core/access/caller.ts"
import { systemCaller } from "#core/access/system-caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { type ShortCache, shortCache } from "#core/short-cache.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findOrganization, toWireCountry } from "../../organization/organizations/index.ts"
import { readSettings, type StoredSettings } from "./settings.ts"

/** The organization as its customers see it. */
export interface Sender extends StoredSettings {
  organizationId: string
  organizationNumber: number
  name: string
  language: string
  timeZone: string
  currency: string
  /** Calling code, +62; undefined where the organization has no country that is known. */
  phoneCode: string | undefined
}

const cacheMilliseconds = 15_000
const caches = new WeakMap<object, { senders: ShortCache<Sender>; zones: ShortCache<string | null> }>()

function cachesOf(pool: Sql) {
  const known = caches.get(pool) ?? {
    senders: shortCache(cacheMilliseconds),
    zones: shortCache(cacheMilliseconds),
  }
  caches.set(pool, known)
  return known
}

/** At most 15 seconds old on other nodes than the one that changed it. */
export function findSender(pool: Sql, organizationId: string): Promise<Sender> {
  return cachesOf(pool).senders.get(organizationId, async () => {
    const [organization, stored] = await Promise.all([
      findOrganization(pool, organizationId),
      readSettings(pool, organizationId),
    ])
    const country = toWireCountry(organization.countryCode) as { phoneCode?: string } | null
    return {
      ...stored,
      organizationId,
      organizationNumber: organization.number,
      name: stored.settings.name || organization.name,
      language: organization.language,
      timeZone: organization.timeZone,
      currency: organization.currency,
      phoneCode: country?.phoneCode,
    }
  })
}

export function invalidateSender(pool: Sql, organizationId: string): void {
  cachesOf(pool).senders.delete(organizationId)
}

/** The time zone in which the customers of a hub live: the hub's, else the organization's. */
export async function timeZoneOfHub(pool: Sql, sender: Sender, hubId: string): Promise<string> {
  const { organizationId } = sender
  const zone = await cachesOf(pool).zones.get(`${organizationId}/${hubId}`, async () => {
    const hub = await findHub(pool, customerCaller(organizationId), hubId)
    return hub?.timeZone ?? null
  })
  return zone ?? sender.timeZone
}

/** Who signs what a customer changes. */
export function customerCaller(organizationId: string): Caller {
  return systemCaller(organizationId as Id<"organization">, { email: "Customer", name: "Customer" })
}
