import type { Caller } from "#core/access/caller.ts"
import type { Pool, Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import type { Cell } from "#packages/spreadsheets/cell.ts"
import type { KnownColumn } from "#packages/spreadsheets/headers.ts"
import type { ItemGroup } from "../rows/item-columns.ts"

export type FieldKind =
  | "text"
  | "number"
  | "date"
  | "dateTime"
  | "time"
  | "boolean"
  | "option"
  | "coordinate"
  | "address"
  | "email"

/** From the numbers that are kept for examples: a template whose sample row is left in must still be a good file. */
export const samplePhoneNumber = "+44 117 496 0111"

/** A column that an import understands, with what a template and the mapping step say about it. */
export interface ImportField extends KnownColumn {
  readonly kind: FieldKind
  readonly options?: readonly string[]
  /** The options are all that is taken, and only one of them. */
  readonly isStrict?: boolean
  readonly help?: string
  readonly sample?: string | number | boolean
  /** Words that headers of other programs use for it, for the suggested mapping. */
  readonly aliases?: readonly string[]
  /** Titles that are understood as well. */
  readonly otherTitles?: readonly string[]
  /** True: the file is refused when it has this column, because there is nowhere to put it. */
  readonly isUnavailable?: boolean
  /** False: understood when it is there, but not part of the template. */
  readonly isInTemplate?: boolean
  /** Never suggested for a header that only resembles its title. */
  readonly isMatchedExactly?: boolean
  /** Only exports have it: not offered for mapping where the file lacks it. */
  readonly isOfExports?: boolean
}

/** One row of the file: `index` counts from 0 through the import, `rowNumber` as the sheet does. */
export interface Line {
  readonly index: number
  readonly rowNumber: number
  readonly cells: readonly Cell[]
  /** The cell that fills a field; an empty one where the file has no such column. */
  readonly cell: (fieldId: string) => Cell
  /** The same in other cells of the sheet, such as of a further line of a task. */
  readonly cellIn: (cells: readonly Cell[], fieldId: string) => Cell
  /** The lines of items that were gathered for the row, as text; empty where there are none. */
  readonly gathered: string
}

export interface RowProblem {
  /** Title of the field, and once it is kept the column of the file; empty when the row as a whole is refused. */
  column: string
  value: string
  reason: string
}

export type Outcome =
  | { kind: "created"; id: string }
  /** `before` is what undoing puts back. */
  | { kind: "changed"; id: string; before: unknown }
  | { kind: "unchanged"; id: string }
  | { kind: "refused"; problems: RowProblem[] }

export interface WriteContext {
  caller: Caller
  now: Temporal.Instant
  live: LiveEvents
  importId: string
  /** When the import was accepted: order numbers of its rows grow from here. */
  acceptedTime: Temporal.Instant
  /** Where links in invitations lead. */
  publicUrl: string
}

/** What looks up addresses. */
export interface LocateContext {
  sql: Pool
  geocoderUrl: string | undefined
  caller: Caller
}

/** What the rows of a file become. */
export interface Target {
  /** Name of the flow, data type or configuration. */
  readonly name: string | null
  /** True when the records belong to no hub. */
  readonly isCommon?: boolean
  /**
   * True: what `write` does with lines does not depend on what it did with those before them, and lines with different
   * keys do not meet. Two batches may then be written at a time.
   */
  readonly isIndependent?: boolean
  /** The field that finds existing records when the mode is upsert or update. */
  readonly keyId: string
  readonly fields: readonly ImportField[]
  /** Lists and bills whose items a file may bring on lines of their own. */
  readonly itemGroups?: readonly ItemGroup[]
  /** The key of a line that must not occur twice in a file; undefined where it may, or is empty. */
  uniqueKey?(line: Line): string | undefined
  /** Does what can be done with a line before its transaction, while the database works on others. */
  prepare?(line: Line): void
  /** Looks up the addresses of prepared lines, before their transaction. */
  locate?(lines: readonly Line[], context: LocateContext): Promise<void>
  /**
   * Makes or changes a record per line, in order, by the same path as single calls. Every line has its
   * outcome; a refused one leaves the others. Throws only for faults.
   */
  write(tx: Tx, lines: readonly Line[], context: WriteContext): Promise<Outcome[]>
  /** After the last line, in a transaction of its own, when something was valid. */
  finish?(tx: Tx, context: WriteContext): Promise<void>
  /** Takes back created records that nobody touched since `writtenTime`; returns the ids that went. */
  removeCreated(
    tx: Tx,
    ids: readonly string[],
    writtenTime: Temporal.Instant,
    context: WriteContext,
  ): Promise<string[]>
  /** Puts changed records back that nobody touched since; returns their ids. */
  restoreChanged(
    tx: Tx,
    changed: readonly { id: string; before: unknown }[],
    writtenTime: Temporal.Instant,
    context: WriteContext,
  ): Promise<string[]>
}

export function refused(column: string, value: string, reason: string): Outcome {
  return { kind: "refused", problems: [{ column, value, reason }] }
}
