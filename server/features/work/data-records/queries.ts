import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import type { RecordRow } from "./wire.ts"

/** Who looks, and whether records that are limited to other people are left out (they are unless asked for). */
export interface Sight {
  caller: Caller
  onlyMine: boolean
}

/** Tenant, hubs and "limited to" applied once. Every read of records starts from this condition. */
export function visibleRecords(sql: Sql, { caller, onlyMine }: Sight): Fragment {
  const hubs =
    caller.hubs === "all"
      ? sql``
      : sql`and (data_records.hub_id is null or ${inCallersHubs(sql, caller, sql`data_records.hub_id`)})`
  return sql`data_records.organization_id = ${caller.organizationId} ${hubs} ${onlyMine ? notLimited(sql, caller) : sql``}`
}

/** Owners see all. The list of a record counts only while its type says so. */
function notLimited(sql: Sql, caller: Caller): Fragment {
  if (caller.isOwner) return sql``
  return sql`and (data_records.limit_user is null or ${caller.email} = any (data_records.limit_user) or not exists (
    select from data_types limited where limited.organization_id = data_records.organization_id
      and limited.id = data_records.data_type_id and limited.limit_user))`
}

export function recordColumns(sql: Sql): Fragment {
  return sql`data_records.id, data_records.organization_id, data_records.data_type_id, data_records.hub_id,
    data_records.data_id, data_records."values", data_records.limit_user, data_records.created_by,
    data_records.updated_by, data_records.created_time, data_records.updated_time,
    (select name from data_types t where t.organization_id = data_records.organization_id and t.id = data_records.data_type_id) as data_type_name`
}

export async function findRecord(sql: Sql, caller: Caller, recordId: string): Promise<RecordRow | undefined> {
  const rows = await findRecords(sql, caller, [recordId])
  return rows[0]
}

export function findRecords(sql: Sql, caller: Caller, recordIds: readonly string[]): Promise<RecordRow[]> {
  return sql<RecordRow[]>`
    select ${recordColumns(sql)} from data_records
    where ${visibleRecords(sql, { caller, onlyMine: true })} and data_records.id = any (${recordIds.map((id) => id.toLowerCase())})`.reusePlan()
}

/** What was just written, even when the change took it out of the caller's own sight. */
export function findWritten(tx: Tx, caller: Caller, recordIds: readonly string[]): Promise<RecordRow[]> {
  return findRecords(tx, { ...caller, isOwner: true, hubs: "all" }, recordIds)
}

/** Locks in the order of ids, so that two calls about the same records wait instead of blocking each other. */
export function lockRecords(tx: Tx, caller: Caller, recordIds: readonly string[]): Promise<RecordRow[]> {
  return tx<RecordRow[]>`
    select ${recordColumns(tx)} from data_records
    where ${visibleRecords(tx, { caller, onlyMine: true })} and data_records.id = any (${recordIds.map((id) => id.toLowerCase())})
    order by data_records.id for update of data_records`.reusePlan()
}

export interface RecordKey {
  dataTypeId: string
  /** Null for a common type; undefined: whichever of the caller's hubs has it, the latest change first. */
  hubId: string | null | undefined
  dataId: string
}

export async function findRecordByKey(
  sql: Sql,
  caller: Caller,
  key: RecordKey,
): Promise<RecordRow | undefined> {
  const hub =
    key.hubId === undefined ? sql`` : sql`and data_records.hub_id is not distinct from ${key.hubId}::text`
  const rows = await sql<RecordRow[]>`
    select ${recordColumns(sql)} from data_records
    where ${visibleRecords(sql, { caller, onlyMine: true })} and data_records.data_type_id = ${key.dataTypeId}
      and data_records.data_id = ${key.dataId} ${hub}
    order by data_records.updated_time desc, data_records.id desc limit 1`
  return rows[0]
}

/** The records of a type with these keys, in one hub or, where it is null, common to all. */
export function findRecordsByKeys(
  sql: Sql,
  caller: Caller,
  { dataTypeId, hubId }: { dataTypeId: string; hubId: string | null },
  dataIds: readonly string[],
): Promise<RecordRow[]> {
  return sql<RecordRow[]>`
    select ${recordColumns(sql)} from ${keyed(sql, { organizationId: caller.organizationId, dataTypeId, hubId }, dataIds)}
    where ${visibleRecords(sql, { caller, onlyMine: true })}`
}

/**
 * The records with these keys, as `data_records`, each read from the index of the keys because it is wanted in that
 * order. By equality alone a table that was just filled, whose statistics are old, is read from another index: all
 * records of the type, for each key.
 */
export function keyed(
  sql: Sql,
  { organizationId, dataTypeId, hubId }: { organizationId: string; dataTypeId: string; hubId: string | null },
  dataIds: readonly string[],
): Fragment {
  const ofHub = hubId === null ? sql`r.hub_id is null` : sql`r.hub_id = ${hubId}`
  return sql`(select distinct wanted from unnest(${dataIds as string[]}::text[]) wanted order by wanted) keys
    cross join lateral (
      select * from data_records r
      where r.organization_id = ${organizationId} and r.data_type_id = ${dataTypeId} and ${ofHub}
        and r.data_id >= keys.wanted and r.data_id <= keys.wanted
      order by r.hub_id, r.data_id limit 1
    ) data_records`
}
