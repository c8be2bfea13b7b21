import type { Caller } from "../access/caller.ts"
import type { Fragment, Sql, Tx } from "../database/database.ts"
import type { LiveEvents } from "../events/live-events.ts"
import type { Permission } from "../permissions.ts"
import type { TrashType } from "../trash.ts"

/**
 * A kind of object whose history people read who can see it, and whose changes can be undone; all others are for those
 * who may read the whole audit log. Listed in app.ts.
 */
export interface AuditedObject {
  /** As `audit_table` names it. */
  type: string
  /** Without it, everybody who is signed in; `isVisible` says what they see. */
  viewPermission?: Permission
  /** Whether the caller can see the object with this id: a condition. */
  isVisible(sql: Sql, caller: Caller, id: Fragment): Fragment
  /** As what the trash keeps it; undefined for kinds that are deleted without it. */
  trashType?: TrashType
  undo: Undoing
}

/** How changes of a kind are undone: by the routes of the API that make such changes. */
export interface Undoing {
  table: string
  /** The column with the id of the object; `id` by default. */
  idColumn?: string
  /** Types of objects that the same action changed, and that the calls of `revert` change back with it. */
  alsoUndoes?: readonly string[]
  /** Whether that is so for an object with these earlier values; by default always. */
  leads?(before: Columns): boolean
  /** Gives objects back the earlier values of columns. */
  revert(
    objects: readonly Earlier[],
    context: { sql: Sql; caller: Caller; now: Temporal.Instant },
  ): Promise<UndoStep[]> | UndoStep[]
  /** Deletes objects that were made. */
  remove(ids: readonly string[]): UndoCall[]
  /** Puts back rows that were deleted without the trash: what that needs, and columns that the audit trail does not keep. */
  putBack?: { permission?: Permission; complete?(row: Columns): Columns }
  /** What an object that came back from the trash still lacks. */
  afterRestore?(id: string, before: Columns): UndoCall[]
  /** Columns that no route takes: they are written back as they were. */
  unrouted?: readonly string[]
  /** Rows are written back without a route: all of them, or those that change as `applies` says. */
  byRow?: ByRow
  /** It belongs to something else that the action changed, and does not count by itself. */
  isPart?: true
}

export interface ByRow {
  /** One of these is needed. Without it, nothing but having done it, or reading the audit log. */
  permissions?: readonly Permission[]
  /** The column with the hub that the caller must have. */
  hub?: string
  applies?(before: Columns, row: Columns): boolean
  /** It gives a secret back, or ends one: only the person who did it, and no token of theirs. */
  onlyActor?: true
  /** Why a row as it is now cannot have its earlier values again. */
  refuse?(before: Columns, row: Columns): string | undefined
  /** What follows from a row that has come back, goes, or got its earlier values. Throws an AppError where it must stay. */
  follow?(change: RowChange): Promise<void>
}

export interface RowChange {
  tx: Tx
  caller: Caller
  live: LiveEvents
  plan: "restore" | "revert" | "remove"
  /** As it is after the change; of one that goes, as it was. */
  row: Columns
}

export interface Earlier {
  id: string
  /** What the action did to the object, in order. */
  parts: readonly { change: "create" | "update" | "delete"; before: Columns | null; after: Columns | null }[]
  /** The columns to give back, as they were. */
  before: Columns
  /** The row as it is, of `to_jsonb(table)`. */
  row: Columns
}

export type Columns = Readonly<Record<string, unknown>>

export interface UndoCall {
  method: "POST" | "PUT" | "PATCH" | "DELETE"
  path: string
  body?: object
  /** The objects that it changes. A bulk response says for each whether it was changed. */
  ids: readonly string[]
}

/** A call, or why objects cannot be changed back. */
export type UndoStep = UndoCall | { refusal: string; ids: readonly string[] }

/** One call for each object. */
export function eachById<Item extends { id: string }>(
  items: readonly Item[],
  call: (item: Item) => Omit<UndoCall, "ids">,
): UndoCall[] {
  return items.map((item) => ({ ...call(item), ids: [item.id] }))
}

/** Columns under the names that bodies of the API have them by. */
export function toBody(columns: Columns): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [toCamelCase(name), value]))
}

export function toCamelCase(column: string): string {
  return column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
}

/** The keys whose values differ. */
export function changedKeys(before: Columns, after: Columns): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return keys.filter((key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null))
}
