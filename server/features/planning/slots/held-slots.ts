import type { Sql, Tx } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { Slot } from "./offer-slots.ts"

/** A slot that is held now. */
export async function findHeldSlot(
  tx: Tx,
  organizationId: string,
  slotId: string,
  now: Temporal.Instant,
): Promise<Slot | undefined> {
  const [slot] = await tx<Slot[]>`
    select id, hub_id, starts_at, ends_at, status, held_until, lat, lng, service_minutes, extra_seconds, extra_meters
    from appointment_slots
    where organization_id = ${organizationId} and id = ${slotId.toLowerCase()} and status = 'held' and held_until > ${now}
    for update`
  return slot
}

/** Those of these slots that are still held for a place, by time. */
export function listHeldSlots(
  sql: Sql,
  organizationId: string,
  slotIds: readonly string[],
  { hubId, position: [lng, lat] }: { hubId: string; position: LngLat },
  now: Temporal.Instant,
): Promise<Slot[]> {
  return sql<Slot[]>`
    select id, hub_id, starts_at, ends_at, status, held_until, lat, lng, service_minutes, extra_seconds, extra_meters
    from appointment_slots
    where organization_id = ${organizationId} and id = any (${[...slotIds]}) and status = 'held' and held_until > ${now}
      and hub_id = ${hubId} and abs(lng - ${lng}) < 1e-5 and abs(lat - ${lat}) < 1e-5
    order by starts_at, id`
}

/** Holds one slot for longer, until somebody has decided about it, and frees the others of its offer. */
export async function keepSlot(
  tx: Tx,
  organizationId: string,
  slotId: string,
  until: Temporal.Instant,
): Promise<void> {
  const rows = await tx<{ offerId: string }[]>`
    update appointment_slots set held_until = ${until}
    where organization_id = ${organizationId} and id = ${slotId} and status = 'held' returning offer_id`
  const offerId = rows[0]?.offerId
  if (offerId !== undefined)
    await tx`
      delete from appointment_slots
      where organization_id = ${organizationId} and offer_id = ${offerId} and id <> ${slotId} and status = 'held'`
}

/** Frees held slots that nobody will book, of one hub if it is given. */
export async function releaseSlots(
  sql: Sql,
  organizationId: string,
  slotIds: readonly string[],
  hubId: string | null = null,
): Promise<void> {
  if (slotIds.length === 0) return
  await sql`
    delete from appointment_slots
    where organization_id = ${organizationId} and id = any (${[...slotIds]}) and status = 'held'
      and (${hubId}::text is null or hub_id = ${hubId})`
}
