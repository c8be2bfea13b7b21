import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"

/**
 * Copies the hubs of an organization that one of its members has access to into a new organization. Returns the ids
 * of the copies.
 */
export async function copyHubs(
  tx: Tx,
  from: Pick<Caller, "organizationId" | "hubs">,
  to: { organizationId: string },
): Promise<string[]> {
  const hubs = await tx<{ id: string }[]>`
    select id from hubs where organization_id = ${from.organizationId} and ${inCallersHubs(tx, from as Caller, tx`hubs.id`)}
    order by created_time, id`
  if (hubs.length === 0) return []
  const ids = hubs.map(() => newId<"hub">())
  await tx`
    insert into hubs (organization_id, id, name, address, lat, lng, country_code, time_zone)
    select ${to.organizationId}, copy.id, hubs.name, hubs.address, hubs.lat, hubs.lng, hubs.country_code, hubs.time_zone
    from unnest(${hubs.map((hub) => hub.id)}::text[], ${ids}::text[]) as copy (old, id)
    join hubs on hubs.organization_id = ${from.organizationId} and hubs.id = copy.old`
  return ids
}
