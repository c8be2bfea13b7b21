import type { Caller } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { reseal, type Sealing } from "#core/security/sealing.ts"
import type { OtherSystem } from "#shared/other-systems.ts"
import type { ReadingProblem } from "./problem.ts"

export const readingStatuses = ["reading", "done", "failed", "cancelled"] as const
export type ReadingStatus = (typeof readingStatuses)[number]

export interface ReadingRow {
  id: Id<"reading">
  organizationId: Id<"organization">
  userId: Id<"user">
  system: OtherSystem
  collection: string
  /** Null for a list in a dump. */
  address: string | null
  fromDay: string
  toDay: string
  sealedKey: Buffer | null
  dumpKey: string | null
  dumpName: string | null
  status: ReadingStatus
  rowCount: number
  emptyCount: number
  requestCount: number
  byteCount: number
  waitsUntil: Temporal.Instant | null
  problem: ReadingProblem | null
  fileKey: string | null
  createdBy: string
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  endedTime: Temporal.Instant | null
}

function readingColumns(sql: Sql): Fragment {
  return sql`id, organization_id, user_id, system, collection, address, from_day, to_day, sealed_key, dump_key, dump_name,
    status, row_count, empty_count, request_count, byte_count::float8 as byte_count, waits_until, problem, file_key,
    created_by, created_time, updated_time, ended_time`
}

/** What was read from another system belongs to who read it: no hub limits what is in it. */
function ownReadings(sql: Sql, caller: Caller): Fragment {
  return sql`organization_id = ${caller.organizationId} and user_id = ${caller.userId}`
}

export type NewReading = Pick<
  ReadingRow,
  "id" | "system" | "collection" | "address" | "fromDay" | "toDay" | "sealedKey" | "dumpKey" | "dumpName"
>

export async function insertReading(
  tx: Tx,
  caller: Caller,
  made: NewReading,
  now: Temporal.Instant,
): Promise<ReadingRow> {
  const rows = await tx<ReadingRow[]>`
    insert into other_system_readings (organization_id, id, user_id, system, collection, address, from_day, to_day,
      sealed_key, dump_key, dump_name, created_by, created_time, updated_time)
    values (${caller.organizationId}, ${made.id}, ${caller.userId}, ${made.system}, ${made.collection}, ${made.address},
      ${made.fromDay}, ${made.toDay}, ${made.sealedKey}, ${made.dumpKey}, ${made.dumpName}, ${caller.email}, ${now}, ${now})
    returning ${readingColumns(tx)}`
  if (!rows[0]) throw new Error("an inserted reading was not returned")
  return rows[0]
}

export async function countRunning(tx: Tx, caller: Caller): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`readings:${caller.organizationId}`}, 0))`
  const rows = await tx<{ count: number }[]>`
    select count(*)::int as count from other_system_readings
    where organization_id = ${caller.organizationId} and status = 'reading'`
  return rows[0]?.count ?? 0
}

export async function findReading(sql: Sql, caller: Caller, id: string): Promise<ReadingRow | undefined> {
  const rows = await sql<ReadingRow[]>`
    select ${readingColumns(sql)} from other_system_readings where ${ownReadings(sql, caller)} and id = ${id.toLowerCase()}`
  return rows[0]
}

/** For the work in the background, which belongs to nobody who calls. */
export async function findForJob(
  sql: Sql,
  organizationId: string,
  readingId: string,
): Promise<ReadingRow | undefined> {
  const rows = await sql<ReadingRow[]>`
    select ${readingColumns(sql)} from other_system_readings where organization_id = ${organizationId} and id = ${readingId}`
  return rows[0]
}

export function listReadings(sql: Sql, caller: Caller, page: PageOptions): Promise<Listed<ReadingRow>> {
  return listRows<ReadingRow>(sql, page, {
    columns: readingColumns(sql),
    from: sql`from other_system_readings where ${ownReadings(sql, caller)}`,
    order: sql`created_time desc, id desc`,
  })
}

type Progress = Pick<ReadingRow, "rowCount" | "emptyCount" | "requestCount" | "byteCount">

/** False if the reading has ended meanwhile, such as by a cancellation. */
export async function noteProgress(
  sql: Sql,
  { organizationId, id }: Pick<ReadingRow, "organizationId" | "id">,
  progress: Progress & { waitsUntil: Temporal.Instant | null },
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await sql`
    update other_system_readings set row_count = ${progress.rowCount}, empty_count = ${progress.emptyCount},
      request_count = ${progress.requestCount}, byte_count = ${progress.byteCount}, waits_until = ${progress.waitsUntil},
      updated_time = ${now}
    where organization_id = ${organizationId} and id = ${id} and status = 'reading' returning 1`
  return rows.length > 0
}

export type ReadingEnd =
  | ({ status: "done"; fileKey: string | null } & Pick<ReadingRow, "rowCount" | "emptyCount">)
  | { status: "failed"; problem: ReadingProblem }
  | { status: "cancelled" }

/** Ends a reading once: its key and what was answered are removed. Undefined if it has ended before. */
export async function endRow(
  tx: Tx,
  { organizationId, id }: Pick<ReadingRow, "organizationId" | "id">,
  end: ReadingEnd,
  now: Temporal.Instant,
): Promise<ReadingRow | undefined> {
  const rows = await tx<ReadingRow[]>`
    update other_system_readings set status = ${end.status}, sealed_key = null, dump_key = null, waits_until = null,
      problem = ${end.status === "failed" ? json(tx, end.problem) : null},
      file_key = ${end.status === "done" ? end.fileKey : null},
      row_count = ${end.status === "done" ? end.rowCount : tx`row_count`},
      empty_count = ${end.status === "done" ? end.emptyCount : tx`empty_count`},
      updated_time = ${now}, ended_time = ${now}
    where organization_id = ${organizationId} and id = ${id} and status = 'reading'
    returning ${readingColumns(tx)}`
  await tx`delete from other_system_answers where organization_id = ${organizationId} and reading_id = ${id}`
  return rows[0]
}

/** Readings whose job was lost with its worker. */
export function listLost(sql: Sql, before: Temporal.Instant): Promise<ReadingRow[]> {
  return sql<ReadingRow[]>`
    select ${readingColumns(sql)} from other_system_readings
    where status = 'reading' and updated_time < ${before} and not exists (
      select from graphile_worker._private_jobs waiting
      where waiting.payload->>'readingId' = other_system_readings.id
        and (waiting.attempts < waiting.max_attempts or waiting.locked_at is not null)) limit 100`
}

export function listOld(sql: Sql, before: Temporal.Instant): Promise<ReadingRow[]> {
  return sql<ReadingRow[]>`
    select ${readingColumns(sql)} from other_system_readings
    where created_time < ${before} and status <> 'reading' limit 20`
}

/** What the key of a reading is sealed for. */
export function keyPurpose(readingId: string): string {
  return `reading of another system ${readingId}`
}

/** Reseals the keys of running readings after a change of SECRETS_KEY; returns how many changed. */
export async function sealStoredReadings(sealing: Sealing): Promise<number> {
  const { sql } = sealing
  const rows = await sql<{ organizationId: string; id: string; sealedKey: Buffer }[]>`
    select organization_id, id, sealed_key from other_system_readings where sealed_key is not null`
  let count = 0
  for (const { organizationId, id, sealedKey } of rows) {
    const resealed = await reseal(sealing, keyPurpose(id), sealedKey)
    if (!resealed) continue
    const changed = await sql`
      update other_system_readings set sealed_key = ${resealed}
      where organization_id = ${organizationId} and id = ${id} and sealed_key = ${sealedKey} returning 1`
    count += changed.length
  }
  return count
}
