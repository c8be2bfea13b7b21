import { batchReads } from "#core/database/batch-reads.ts"
import { json, type Pool, type Sql, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { ownedState } from "#core/owned-state.ts"
import type { ProtocolName, TrackerAttributes } from "#packages/tracker-protocols/index.ts"

/** A registered device, as its messages need it. */
export interface Tracker {
  id: Id<"tracker">
  organizationId: Id<"organization">
  organizationNumber: number
  imei: string
  protocol: ProtocolName
  userId: Id<"user">
}

/** The registration of an IMEI. Asked for every message, so that a removed device ends at once. */
export const trackerOf = ownedState((sql: Pool) =>
  batchReads({ read: (imeis: readonly string[]) => findTrackers(sql, imeis), keyOf: (imei) => imei }),
)

async function findTrackers(sql: Sql, imeis: readonly string[]): Promise<(Tracker | undefined)[]> {
  const rows = await sql<Tracker[]>`
    select id, organization_id, organization_number, imei, protocol, user_id from trackers
    where imei = any (${imeis as string[]}::text[])`
  const found = new Map(rows.map((row) => [row.imei, row]))
  return imeis.map((imei) => found.get(imei))
}

export interface TrackerRow {
  id: Id<"tracker">
  imei: string
  protocol: ProtocolName
  name: string
  userId: Id<"user">
  createdBy: string | null
  createdTime: Temporal.Instant
  lastContactAt: Temporal.Instant | null
  lastAddress: string | null
  lastRefusal: string | null
  attributes: TrackerAttributes
  messages: number
}

interface InOrganization {
  organizationId: string
}

export async function listTrackers(
  sql: Sql,
  { organizationId }: InOrganization,
  userId: string | undefined,
): Promise<TrackerRow[]> {
  return sql<TrackerRow[]>`
    select id, imei, protocol, name, user_id, created_by, created_time, last_contact_at, last_address, last_refusal,
      attributes, messages
    from trackers where organization_id = ${organizationId}
      ${userId === undefined ? sql`` : sql`and user_id = ${userId.toLowerCase()}`}
    order by lower(name), id`
}

export async function lockTracker(
  tx: Tx,
  { organizationId }: InOrganization,
  trackerId: string,
): Promise<TrackerRow | undefined> {
  const rows = await tx<TrackerRow[]>`
    select id, imei, protocol, name, user_id, created_by, created_time, last_contact_at, last_address, last_refusal,
      attributes, messages
    from trackers where organization_id = ${organizationId} and id = ${trackerId.toLowerCase()} for update`
  return rows[0]
}

export interface NewTracker {
  id: string
  organizationNumber: number
  imei: string
  protocol: ProtocolName
  name: string
  userId: string
  createdBy: string
  now: Temporal.Instant
}

/** Registers a device, which is then no longer unknown. False when it is registered already, here or elsewhere. */
export async function insertTracker(
  tx: Tx,
  { organizationId }: InOrganization,
  tracker: NewTracker,
): Promise<boolean> {
  const rows = await tx`
    insert into trackers (organization_id, id, organization_number, imei, protocol, name, user_id, created_by, created_time)
    values (${organizationId}, ${tracker.id}, ${tracker.organizationNumber}, ${tracker.imei}, ${tracker.protocol},
      ${tracker.name}, ${tracker.userId}, ${tracker.createdBy}, ${tracker.now})
    on conflict (imei) do nothing returning 1`
  if (rows.length > 0) await tx`delete from unknown_trackers where imei = ${tracker.imei}`
  return rows.length > 0
}

export async function updateTracker(
  tx: Tx,
  { organizationId }: InOrganization,
  trackerId: string,
  { name, protocol, userId }: Pick<NewTracker, "name" | "protocol" | "userId">,
): Promise<void> {
  await tx`
    update trackers set name = ${name}, protocol = ${protocol}, user_id = ${userId}, last_refusal = null
    where organization_id = ${organizationId} and id = ${trackerId}`
}

export async function deleteTracker(tx: Tx, { organizationId }: InOrganization, trackerId: string) {
  await tx`delete from trackers where organization_id = ${organizationId} and id = ${trackerId}`
}

export const keptMessages = 100
/** Messages contain positions, hence none is kept longer than this, or than positions are. */
export const keptMessageDays = 30
const keptContentBytes = 2_048

export interface LoggedMessage {
  kind: string
  frame: Uint8Array
  positions: number
  note: string | undefined
}

/** Notes a contact and stores its messages in the slots of the oldest ones, of which there are at most 100. */
export async function logMessages(
  sql: Sql,
  tracker: Pick<Tracker, "organizationId" | "id">,
  contact: { address: string; now: Temporal.Instant; attributes: TrackerAttributes; refusal: string | null },
  messages: readonly LoggedMessage[],
): Promise<void> {
  const { now, address, attributes, refusal } = contact
  const content = messages.map(({ frame }) =>
    Buffer.from(frame.subarray(0, keptContentBytes)).toString("hex"),
  )
  await sql`
    with contact as (
      update trackers set last_contact_at = ${now}, last_address = ${address}, messages = messages + ${messages.length}::int,
        attributes = attributes || ${json(sql, attributes)}, last_refusal = coalesce(${refusal}::text, last_refusal)
      where organization_id = ${tracker.organizationId} and id = ${tracker.id}
      returning messages - ${messages.length}::int as before
    )
    insert into tracker_messages (organization_id, tracker_id, slot, number, received_at, kind, content, size, positions, note)
    select ${tracker.organizationId}, ${tracker.id}, (before + place) % ${keptMessages}::int, before + place, ${now}, kind,
      decode(content, 'hex'), size, positions, note
    from contact, unnest(
      ${messages.map(({ kind }) => kind)}::text[], ${content}::text[], ${messages.map(({ frame }) => frame.length)}::int[],
      ${messages.map(({ positions }) => positions)}::int[], ${messages.map(({ note }) => note ?? null)}::text[]
    ) with ordinality as sent (kind, content, size, positions, note, place)
    on conflict (organization_id, tracker_id, slot) do update set
      number = excluded.number, received_at = excluded.received_at, kind = excluded.kind, content = excluded.content,
      size = excluded.size, positions = excluded.positions, note = excluded.note`
}

export interface MessageRow {
  number: number
  receivedAt: Temporal.Instant
  kind: string
  content: Buffer
  size: number
  positions: number
  note: string | null
}

export async function listMessages(
  sql: Sql,
  { organizationId }: InOrganization,
  trackerId: string,
  since: Temporal.Instant,
): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select number, received_at, kind, content, size, positions, note from tracker_messages
    where organization_id = ${organizationId} and tracker_id = ${trackerId} and received_at >= ${since}
    order by number desc limit ${keptMessages}`
}

export async function deleteOldMessages(sql: Sql, before: Temporal.Instant): Promise<void> {
  await sql`delete from tracker_messages where received_at < ${before}`
}

const keptUnknown = 1_000

export interface UnknownTracker {
  imei: string
  protocol: ProtocolName
  address: string
  firstContactAt: Temporal.Instant
  lastContactAt: Temporal.Instant
}

/** Notes a device that nobody has registered. The list is bounded: the newest contacts stay. */
export async function noteUnknown(
  sql: Sql,
  { imei, protocol, address }: Pick<UnknownTracker, "imei" | "protocol" | "address">,
  now: Temporal.Instant,
): Promise<void> {
  const rows = await sql<{ isNew: boolean }[]>`
    insert into unknown_trackers as known (imei, protocol, address, first_contact_at, last_contact_at)
    values (${imei}, ${protocol}, ${address}, ${now}, ${now})
    on conflict (imei) do update set protocol = excluded.protocol, address = excluded.address,
      last_contact_at = excluded.last_contact_at
    returning first_contact_at = last_contact_at as is_new`
  if (rows[0]?.isNew)
    await sql`
      delete from unknown_trackers where imei in
        (select imei from unknown_trackers order by last_contact_at desc, imei offset ${keptUnknown})`
}

export async function listUnknown(sql: Sql): Promise<UnknownTracker[]> {
  return sql<UnknownTracker[]>`
    select imei, protocol, address, first_contact_at, last_contact_at from unknown_trackers
    order by last_contact_at desc, imei limit ${keptUnknown}`
}
