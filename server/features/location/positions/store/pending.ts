import type { Pool, Tx } from "#core/database/database.ts"
import type { Tenant } from "./people.ts"

/** Somebody with points that sessions, visits and simplified tracks do not reflect yet. */
export interface PendingPerson extends Tenant {
  personNumber: number
  userId: string
  email: string
  pendingFrom: Temporal.Instant
}

/** The next people whose points changed, oldest change first. */
export function listPending(sql: Pool, limit: number): Promise<PendingPerson[]> {
  return sql<PendingPerson[]>`
    select organization_id, organization_number, person_number, user_id, email, pending_from from person_positions
    where pending_from is not null order by pending_from limit ${limit}`
}

export interface RecentPerson extends PendingPerson {
  lat: number
  lng: number
}

/** Of those, people whose newest position is not older than a moment. */
export function listRecentPending(
  sql: Pool,
  since: Temporal.Instant,
  limit: number,
): Promise<RecentPerson[]> {
  return sql<RecentPerson[]>`
    select organization_id, organization_number, person_number, user_id, email, pending_from, lat, lng from person_positions
    where pending_from is not null and recorded_at > ${since} order by pending_from limit ${limit}`
}

/** From when on a person's points are pending, and their newest time. New points wait until the transaction ends. */
export async function lockPending(
  tx: Tx,
  person: PendingPerson,
): Promise<{ pendingFrom: Temporal.Instant; recordedAt: Temporal.Instant } | undefined> {
  const rows = await tx<{ pendingFrom: Temporal.Instant; recordedAt: Temporal.Instant }[]>`
    select pending_from, recorded_at from person_positions
    where organization_number = ${person.organizationNumber} and person_number = ${person.personNumber}
      and pending_from is not null for update`
  return rows[0]
}

export async function setPending(
  tx: Tx,
  person: PendingPerson,
  from: Temporal.Instant | null,
): Promise<void> {
  await tx`
    update person_positions set pending_from = ${from}
    where organization_number = ${person.organizationNumber} and person_number = ${person.personNumber}`
}
