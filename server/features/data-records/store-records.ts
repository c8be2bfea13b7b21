import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database.ts"
import type { DataTypeRow, FieldValue } from "../data-types/index.ts"
import type { WriteMode } from "./write-records.ts"

export interface Write {
  id: string
  dataId: string
  hubId: string | null
  values: Record<string, FieldValue>
  ordered: Record<string, number>
  /** Ids of the fields that `values` sets, and of those that are to be empty. */
  touched: string[]
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
    stored.push(
      ...(await tx<Stored[]>`
        select id, hub_id, data_id, ${isVisible} as is_visible from data_records
        where organization_id = ${caller.organizationId} and data_type_id = ${type.id}
          and ${hubId === null ? tx`hub_id is null` : tx`hub_id = ${hubId}`} and data_id = any (${dataIds})
        order by data_id for no key update`),
    )
  }
  return stored
}

/**
 * Inserts new records. Two calls may bring the same key at once: the second then updates the first one's
 * record when `mode` is upsert, else its row is missing from the answer, which is by `<hub> <key>`.
 */
export async function insertRecords(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  writes: readonly Write[],
  { mode, now }: { mode: WriteMode; now: Temporal.Instant },
): Promise<Map<string, { id: string; isNew: boolean }>> {
  if (writes.length === 0) return new Map()
  const conflict =
    mode === "upsert"
      ? tx`do update set "values" = data_records."values" || excluded."values",
          ordered = data_records.ordered || excluded.ordered, limit_user = coalesce(excluded.limit_user, data_records.limit_user),
          updated_by = excluded.created_by, updated_time = excluded.updated_time`
      : tx`do nothing`
  const rows = await tx<{ id: string; hubId: string | null; dataId: string; isNew: boolean }[]>`
    insert into data_records (organization_id, id, data_type_id, hub_id, data_id, "values", ordered, limit_user, created_by, created_time, updated_time)
    select ${caller.organizationId}, id, ${type.id}, hub_id, data_id, "values"::jsonb, ordered::jsonb, limit_user::text[],
      ${caller.email}, ${now}, ${now}
    from ${unnestWrites(tx, writes)}
    order by hub_id, data_id
    on conflict (organization_id, data_type_id, hub_id, data_id) ${conflict}
    returning id, hub_id, data_id, xmax = 0 as is_new`
  return new Map(rows.map(({ id, hubId, dataId, isNew }) => [`${hubId ?? ""} ${dataId}`, { id, isNew }]))
}

/** Changes what the writes touch of records that exist. */
export async function updateRecords(
  tx: Tx,
  caller: Caller,
  writes: readonly Write[],
  now: Temporal.Instant,
): Promise<void> {
  if (writes.length === 0) return
  await tx`
    update data_records r set
      "values" = (r."values" - w.touched::text[]) || w."values"::jsonb,
      ordered = (r.ordered - w.touched::text[]) || w.ordered::jsonb,
      limit_user = case when w.sets_limit::boolean then w.limit_user::text[] else r.limit_user end,
      updated_by = ${caller.email}, updated_time = ${now}
    from ${unnestWrites(tx, writes)}
    where r.organization_id = ${caller.organizationId} and r.id = w.id`
}

function unnestWrites(tx: Tx, writes: readonly Write[]) {
  const column = <T>(read: (write: Write) => T): T[] => writes.map(read)
  return tx`unnest(
      ${column((write) => write.id)}::text[], ${column((write) => write.hubId)}::text[], ${column((write) => write.dataId)}::text[],
      ${column((write) => JSON.stringify(write.values))}::text[], ${column((write) => JSON.stringify(write.ordered))}::text[],
      ${column((write) => arrayLiteral(write.touched))}::text[],
      ${column((write) => (write.limitUser ? arrayLiteral(write.limitUser) : null))}::text[],
      ${column((write) => String(write.limitUser !== undefined))}::text[]
    ) as w (id, hub_id, data_id, "values", ordered, touched, limit_user, sets_limit)`
}

function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`
}
