import { Type } from "typebox"
import { Value } from "typebox/value"
import type { Caller } from "./access/caller.ts"
import {
  databaseErrorOf,
  type Fragment,
  inTransaction,
  json,
  type Sql,
  type Tx,
} from "./database/database.ts"
import { defineErrors } from "./errors.ts"
import type { LiveEvents } from "./events/live-events.ts"
import { type Id, newId } from "./ids.ts"
import type { Permission } from "./permissions.ts"
import { currentTrace } from "./telemetry/trace-context.ts"

/** The kinds of things that the trash keeps, by the names people see. */
export const trashTypes = [
  "Schedule",
  "Role",
  "Task",
  "Flow",
  "Automation",
  "Routing Result",
  "Data",
  "Data Type",
  "User",
  "Vehicle",
  "Hub",
  "Team",
] as const
export type TrashType = (typeof trashTypes)[number]

export interface Discarded {
  type: TrashType
  name: string
  sourceId: string
  hubId?: string | null
  /** The whole row with what belongs to it: enough to put it back. */
  content: unknown
}

/** The entry of the audit log that the current work belongs to. */
const actionId = () => currentTrace()?.origin?.entry ?? null

/** Keeps what is about to be deleted for 30 days, with one statement. Call it in the transaction of the delete. */
export async function moveToTrash(tx: Tx, caller: Caller, discarded: readonly Discarded[]): Promise<void> {
  if (discarded.length === 0) return
  await tx`
    insert into trash (organization_id, id, type, name, source_id, hub_id, content, deleted_by, action_id)
    select ${caller.organizationId}, id, type, name, source_id, hub_id, content::jsonb, ${caller.email}, ${actionId()}
    from unnest(${discarded.map(() => newId())}::text[], ${discarded.map(({ type }) => type)}::text[],
      ${discarded.map(({ name }) => name)}::text[], ${discarded.map(({ sourceId }) => sourceId)}::text[],
      ${discarded.map(({ hubId }) => hubId ?? null)}::text[], ${discarded.map(({ content }) => JSON.stringify(content ?? null))}::text[]
    ) as discarded (id, type, name, source_id, hub_id, content)`.reusePlan()
}

/**
 * Keeps the rows of a query with the columns name, source_id, hub_id and content, however many there are. Call it in the
 * transaction of the delete.
 */
export async function moveRowsToTrash(
  tx: Tx,
  caller: Caller,
  type: TrashType,
  rows: Fragment,
): Promise<void> {
  await tx`
    insert into trash (organization_id, id, type, name, source_id, hub_id, content, deleted_by, action_id)
    select ${caller.organizationId}, lpad(to_hex(extract(epoch from now())::bigint), 8, '0') || substr(md5(gen_random_uuid()::text), 1, 16),
      ${type}, name, source_id, hub_id, content, ${caller.email}, ${actionId()}
    from (${rows}) as discarded (name, source_id, hub_id, content)`
}

/** Replaces the content of an entry, such as secrets that are sealed under another key. */
export async function rewriteTrash(
  sql: Sql,
  entry: { organizationId: string; trashId: string },
  content: Record<string, unknown>,
): Promise<void> {
  await sql`
    update trash set content = ${json(sql, content)}
    where organization_id = ${entry.organizationId} and id = ${entry.trashId}`
}

/** Takes a key out of the content of all entries of a type. Returns how many had it. */
export async function removeFromTrash(
  sql: Sql,
  type: TrashType,
  path: readonly [string, string],
): Promise<number> {
  const changed = await sql`
    update trash set content = content #- ${path as [string, string]}::text[]
    where type = ${type} and content #> ${path as [string, string]}::text[] is not null returning 1`
  return changed.length
}

/** Deletes an entry that is restored. False when that has happened already. */
export async function deleteFromTrash(tx: Tx, organizationId: string, id: string): Promise<boolean> {
  const deleted =
    await tx`delete from trash where organization_id = ${organizationId} and id = ${id} returning 1`
  return deleted.length > 0
}

export const trashErrors = defineErrors("trash", {
  notFound: [404, "033", "This object is not in the trash"],
  taken: [409, "031", "An object with this name or id already exists. Rename it, then restore"],
  parentGone: [409, "032", "The object that this belonged to no longer exists. Restore that first"],
  notRestorable: [409, "032", "This object cannot be restored"],
  forbidden: [403, "035", "Your role does not allow creating objects of this type"],
})

export interface TrashEntry {
  id: Id<"trash">
  type: TrashType
  name: string
  sourceId: string
  hubId: string | null
  content: unknown
  deletedBy: string | null
  deletedTime: Temporal.Instant
  /** The entry of the audit log that deleted it; null where that was not kept yet. */
  actionId: string | null
}

/** Notes on the restored object. */
export interface Restored {
  note?: string
  /** A person whose account was gone: they are invited again. */
  isInvited?: boolean
}

/** One kind of thing in the trash: who sees it there, what it looks like, how it comes back. Listed in app.ts. */
export interface Restorer {
  type: TrashType
  /** The plural that the API uses for such things. */
  dataType: string
  /** What reading such a thing needs. */
  viewPermission: Permission
  /** What making such a thing needs. */
  permission: Permission
  /** Who could read it while it existed, beyond organization, hub and permission: a condition on `trash`. */
  isVisible?(sql: Sql, caller: Caller): Fragment
  /** What is in these contents as the API would return it; contents that cannot be read are left out. */
  show(
    sql: Sql,
    caller: Caller,
    contents: readonly Readonly<Record<string, unknown>>[],
    context: { now: Temporal.Instant },
  ): Promise<readonly { _id: string }[]>
  /** Puts back what `moveToTrash` was given as content. Throws `trashErrors` (409) where it no longer fits. */
  restore(
    tx: Tx,
    caller: Caller,
    entry: TrashEntry,
    context: { now: Temporal.Instant; live: LiveEvents; publicUrl: string; address: string },
  ): Promise<Restored | undefined>
}

/**
 * Keeps rows that are removed without going to the trash, for `findRemovedRow`. A part of a `with` that follows
 * `removed as (delete … returning <table>.*)`.
 */
export function keepRemoved(sql: Sql, type: "Task" | "Data"): Fragment {
  return sql`
    insert into undone_rows (organization_id, id, type, content)
    select organization_id, id, ${type}, to_jsonb(removed) from removed
    on conflict (organization_id, id) do update set content = excluded.content, removed_time = excluded.removed_time`
}

/** A task or record as it was before it was removed within the last 30 days: a row of `to_jsonb`. */
export async function findRemovedRow(
  sql: Sql,
  organizationId: string,
  type: "Task" | "Data",
  id: string,
): Promise<unknown> {
  const [alone] = await sql<{ row: unknown }[]>`
    select case type when 'Task' then content -> 'task' else content end as row, deleted_time from trash
    where organization_id = ${organizationId} and type = ${type} and source_id = ${id}
    union all
    select content, removed_time from undone_rows
    where organization_id = ${organizationId} and type = ${type} and id = ${id}
    order by deleted_time desc limit 1`
  if (alone || type === "Data") return alone?.row
  const [within] = await sql<{ row: unknown }[]>`
    select task as row from trash, jsonb_array_elements(content -> 'tasks') task
    where organization_id = ${organizationId} and type = 'Hub' and task ->> 'id' = ${id}
    union all
    select sub_task -> 'task' from trash, jsonb_array_elements(content -> 'subTasks') sub_task
    where organization_id = ${organizationId} and type = 'Task' and sub_task -> 'task' ->> 'id' = ${id}
    limit 1`
  return within?.row
}

/**
 * Rows that were kept with `to_jsonb(table)`, as a table of this name to select from. Columns that have come since are
 * null.
 */
export function keptRows(sql: Sql, table: string, rows: readonly unknown[], alias = table): Fragment {
  const kept = rows.filter((row) => typeof row === "object" && row !== null)
  return sql`jsonb_populate_recordset(null::${sql(table)}, ${JSON.stringify(kept)}::text::jsonb) as ${sql(alias)}`
}

/** `show` of things that are one row: contents are the row of `to_jsonb(table)`, or have it under `key`. */
export function showRows<Row extends object>(
  table: string,
  columns: (sql: Sql, caller: Caller) => Fragment,
  toWire: (row: Row, caller: Caller, now: Temporal.Instant) => { _id: string },
  { key, alias = table }: { key?: string; alias?: string } = {},
): Restorer["show"] {
  return async (sql, caller, contents, { now }) => {
    const kept = key === undefined ? contents : contents.map((content) => content[key])
    const rows = await sql<Row[]>`select ${columns(sql, caller)} from ${keptRows(sql, table, kept, alias)}`
    return rows.map((row) => toWire(row, caller, now))
  }
}

/** Content that is one row. */
export function rowOf(content: unknown): Record<string, unknown> {
  if (!Value.Check(KeptRow, content)) throw trashErrors.notRestorable()
  return content
}

const KeptRow = Type.Record(Type.String(), Type.Unknown())

/**
 * Puts rows back that were kept with `to_jsonb(table)`. Columns that have gone since are left out, columns
 * that have come get their defaults; generated ones are computed. A name that is taken and a parent that is
 * gone become the 409 that says so. Rows of another organization are refused.
 */
export async function restoreRows(
  tx: Tx,
  caller: Caller,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return
  if (rows.some((row) => row.organization_id !== caller.organizationId)) throw trashErrors.notRestorable()
  const columns = await storedColumns(tx, table, Object.keys(rows[0] ?? {}))
  await refuseConflicts(
    tx,
    (step) => step`
      insert into ${step(table)} (${step.unsafe(columns)}) overriding system value
      select ${step.unsafe(columns)} from jsonb_populate_recordset(null::${step(table)}, ${JSON.stringify(rows)}::text::jsonb)`,
  )
}

/** Which of these columns a table has, apart from generated ones, as a list in SQL. */
export async function storedColumns(sql: Sql, table: string, names: readonly string[]): Promise<string> {
  const kept = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname = any (${[...names]}) order by attnum`
  return kept.map(({ name }) => `"${name.replaceAll('"', '""')}"`).join(", ")
}

/** A name that is taken and a parent that is gone become the 409 that says so. */
export async function refuseConflicts(tx: Tx, write: (step: Tx) => PromiseLike<unknown>): Promise<void> {
  try {
    await inTransaction(tx, async (step) => write(step))
  } catch (error) {
    const code = databaseErrorOf(error)?.code
    if (code === "23505") throw trashErrors.taken({ cause: error })
    if (code === "23503") throw trashErrors.parentGone({ cause: error })
    throw error
  }
}
