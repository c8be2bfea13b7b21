import type { Caller } from "#core/access/caller.ts"
import { databaseErrorOf, idTexts, inTransaction, jsonTexts, type Tx } from "#core/database/database.ts"
import type { DataTypeRow, FieldValue } from "../data-types/index.ts"
import type { WriteMode } from "./write-records.ts"

/** A new record as it is kept. */
export interface NewWrite {
  id: string
  dataId: string
  hubId: string | null
  /** Values by field id, as JSON. */
  valuesJson: string
  /** The numbers that order them, by field id, as JSON. */
  orderedJson: string
  limitUser: readonly string[] | null | undefined
}

export interface Write extends NewWrite {
  values: Record<string, FieldValue>
  /** Ids of the fields that are to be empty. */
  cleared: readonly string[]
  /** Undefined leaves it as it is. */
  limitUser: string[] | null | undefined
}

export interface Stored {
  id: string
  hubId: string | null
  dataId: string
  isVisible: boolean
}

/**
 * The records that have these keys, locked in the order of their keys. Columns travel as arrays here and
 * below: the server unpacks them several times faster than as many rows of parameters.
 */
export async function findStored(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  keys: readonly { dataId: string; hubId: string | null }[],
): Promise<Stored[]> {
  if (keys.length === 0) return []
  const isVisible =
    caller.isOwner || !type.limitUser
      ? tx`true`
      : tx`(limit_user is null or ${caller.email} = any (limit_user))`
  const hubIds = [...new Set(keys.map((key) => key.hubId))]
  const stored: Stored[] = []
  for (const hubId of hubIds.toSorted()) {
    const dataIds = keys.filter((key) => key.hubId === hubId).map((key) => key.dataId)
    // Key by key: with statistics of a table that was just filled, `= any` reads all records of the type, and so does a
    // lookup by equality alone, for each key. In the order of its index it is read from there whatever they say.
    stored.push(
      ...(await tx<Stored[]>`
        select r.id, r.hub_id, r.data_id, r.is_visible
        from (select distinct wanted from unnest(${dataIds}::text[]) wanted order by wanted) keys cross join lateral (
          select id, hub_id, data_id, ${isVisible} as is_visible from data_records
          where organization_id = ${caller.organizationId} and data_type_id = ${type.id}
            and ${hubId === null ? tx`hub_id is null` : tx`hub_id = ${hubId}`}
            and data_id >= keys.wanted and data_id <= keys.wanted
          order by data_records.hub_id, data_records.data_id limit 1
          for no key update
        ) r`),
    )
  }
  return stored
}

/** From here on a savepoint costs less than asking, for each row, whether its key is there. */
const manyWrites = 20

/**
 * Inserts new records, given in the order of their keys. Two calls may bring the same key at once: the second then updates the first one's
 * record when `mode` is upsert, else its row is missing from the response, which is by `<hub> <key>`.
 */
export async function insertRecords(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  writes: readonly NewWrite[],
  { mode, now }: { mode: WriteMode; now: Temporal.Instant },
): Promise<Map<string, { id: string; isNew: boolean }>> {
  if (writes.length === 0) return new Map()
  if (writes.length >= manyWrites && (await insertAll(tx, caller, type, writes, now)))
    return new Map(writes.map((write) => [keyOf(write), { id: write.id, isNew: true }]))
  return insertFree(tx, caller, type, writes, { mode, now })
}

/** The same, row by row: dearer where no key is taken. */
export async function insertFree(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  writes: readonly NewWrite[],
  { mode, now }: { mode: WriteMode; now: Temporal.Instant },
): Promise<Map<string, { id: string; isNew: boolean }>> {
  const conflict =
    mode === "upsert"
      ? tx`do update set "values" = data_records."values" || excluded."values",
          ordered = data_records.ordered || excluded.ordered, limit_user = coalesce(excluded.limit_user, data_records.limit_user),
          updated_by = excluded.created_by, updated_time = excluded.updated_time`
      : tx`do nothing`
  const query = tx<{ id: string; hubId: string | null; dataId: string; isNew: boolean }[]>`
    ${insertion(tx, caller, type, writes, now)}
    on conflict (organization_id, data_type_id, hub_id, data_id) ${conflict}
    returning id, hub_id, data_id, xmax = 0 as is_new`
  const rows = await (writes.length < manyWrites ? query.reusePlan() : query)
  return new Map(rows.map((row) => [keyOf(row), { id: row.id, isNew: row.isNew }]))
}

/** Inserts new records, given in the order of their keys; false, and none is inserted, when a key of them is taken. */
export async function insertAll(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  writes: readonly NewWrite[],
  now: Temporal.Instant,
): Promise<boolean> {
  try {
    await inTransaction(tx, async (step) => void (await insertion(step, caller, type, writes, now)))
    return true
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "data_records_key") return false
    throw error
  }
}

function insertion(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  writes: readonly NewWrite[],
  now: Temporal.Instant,
) {
  return tx`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", ordered, limit_user, created_by, created_time, updated_time)
    select ${caller.organizationId}, id, ${type.id}, hub_id, data_id, "values"::jsonb, ordered::jsonb, limit_user::text[],
      ${caller.email}, ${now}, ${now}
    from ${unnestWrites(tx, writes)}`
}

export function keyOf({ hubId, dataId }: Pick<NewWrite, "hubId" | "dataId">): string {
  return `${hubId ?? ""} ${dataId}`
}

/** Changes what the writes touch of records that exist. */
export async function updateRecords(
  tx: Tx,
  caller: Caller,
  writes: readonly Write[],
  now: Temporal.Instant,
): Promise<void> {
  if (writes.length === 0) return
  const column = <T>(read: (write: Write) => T): T[] => writes.map(read)
  await tx`
    update data_records r set
      "values" = (r."values" - w.touched::text[]) || w."values"::jsonb,
      ordered = (r.ordered - w.touched::text[]) || w.ordered::jsonb,
      limit_user = case when w.sets_limit then w.limit_user::text[] else r.limit_user end,
      updated_by = ${caller.email}, updated_time = ${now}
    from (
      select w.*, e.touched, e.sets_limit::boolean as sets_limit
      from ${unnestWrites(tx, writes)}
      join unnest(
        ${idTexts(
          tx,
          column(({ id }) => id),
        )}, ${column(({ values, cleared }) => arrayLiteral([...Object.keys(values), ...cleared]))}::text[],
        ${column(({ limitUser }) => String(limitUser !== undefined))}::text[]
      ) as e (id, touched, sets_limit) on e.id = w.id
    ) w
    where r.organization_id = ${caller.organizationId} and r.id = w.id`
}

function unnestWrites(tx: Tx, writes: readonly NewWrite[]) {
  const column = <T>(read: (write: NewWrite) => T): T[] => writes.map(read)
  return tx`unnest(
      ${idTexts(
        tx,
        column(({ id }) => id),
      )}, ${idTexts(
        tx,
        column(({ hubId }) => hubId),
      )}, ${texts(
        tx,
        column(({ dataId }) => dataId),
      )},
      ${jsonTexts(
        tx,
        column(({ valuesJson }) => valuesJson),
      )}, ${jsonTexts(
        tx,
        column(({ orderedJson }) => orderedJson),
      )},
      ${arrays(
        tx,
        column(({ limitUser }) => limitUser ?? null),
      )}
    ) as w (id, hub_id, data_id, "values", ordered, limit_user)`
}

/** Texts as an array, with separators where no text holds one, see `jsonTexts`. */
function texts(tx: Tx, list: readonly string[]) {
  const joined = list.join("\u001f")
  return joined.split("\u001f").length === list.length
    ? tx`string_to_array(${joined}::text, chr(31))`
    : tx`${list as string[]}::text[]`
}

/** Lists of texts, one a row. Mostly there are none. */
function arrays(tx: Tx, lists: readonly (readonly string[] | null)[]) {
  if (lists.every((list) => list === null)) return tx`'{}'::text[]`
  return tx`${lists.map((list) => list && arrayLiteral(list))}::text[]`
}

function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`
}
