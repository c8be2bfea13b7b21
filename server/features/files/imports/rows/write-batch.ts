import { databaseErrorOf, inTransaction, type Tx, withRollback } from "#core/database/database.ts"
import { rowsTable } from "#core/database/rows-table.ts"
import { AppError } from "#core/errors.ts"
import { cellToText } from "#packages/spreadsheets/cell-text.ts"
import type { ImportRow } from "../queries.ts"
import type { Line, Outcome, Target, WriteContext } from "../targets/target.ts"

/**
 * Writes lines and returns the outcome of each. Values that the database refuses for a reason that no rule
 * foresaw cost only their own row: the lines are halved until it stands alone.
 */
export async function writeLines(
  tx: Tx,
  target: Target,
  lines: readonly Line[],
  context: WriteContext,
): Promise<Outcome[]> {
  if (lines.length === 0) return []
  try {
    return await inTransaction(tx, (step) => target.write(step, lines, context))
  } catch (error) {
    if (!isFaultOfRows(error)) throw error
    if (lines.length === 1) {
      const reason = error instanceof AppError ? error.message : "contains a value that cannot be stored"
      return [{ kind: "refused", problems: [{ column: "", value: "", reason }] }]
    }
    const middle = Math.ceil(lines.length / 2)
    const first = await writeLines(tx, target, lines.slice(0, middle), context)
    return [...first, ...(await writeLines(tx, target, lines.slice(middle), context))]
  }
}

/** SQLSTATE classes 22 (data) and 23 (constraints) are about values, all others about the system. */
function isFaultOfRows(error: unknown): boolean {
  return error instanceof AppError || /^2[23]/.test(databaseErrorOf(error)?.code ?? "")
}

/** Writes the lines, rolls them back and returns the outcomes. */
export function tryLines(
  tx: Tx,
  target: Target,
  lines: readonly Line[],
  context: WriteContext,
): Promise<Outcome[]> {
  return withRollback(tx, (step) => writeLines(step, target, lines, context))
}

export interface Counts {
  valid: number
  invalid: number
  created: number
  changed: number
}

/** Keeps what a batch did, for undoing, and what it refused, for the file of failed rows. */
export async function recordOutcomes(
  tx: Tx,
  record: Pick<ImportRow, "organizationId" | "id" | "isDryRun" | "processedChunks">,
  lines: readonly Line[],
  outcomes: readonly Outcome[],
  written: Temporal.Instant,
): Promise<Counts> {
  const created = outcomes.flatMap((outcome) => (outcome.kind === "created" ? [outcome.id] : []))
  const changed = outcomes.flatMap((outcome) =>
    outcome.kind === "changed" ? [{ id: outcome.id, before: outcome.before }] : [],
  )
  if (!record.isDryRun && created.length + changed.length > 0) {
    await tx`
      insert into import_batches (organization_id, import_id, first_chunk, written_time, created_ids, changed)
      values (${record.organizationId}, ${record.id}, ${record.processedChunks}, ${written}, ${created},
        ${JSON.stringify(changed)}::text::jsonb)`
  }
  const failures = lines.flatMap((line, index) => {
    const outcome = outcomes[index]
    return outcome?.kind === "refused" ? [{ line, problems: outcome.problems }] : []
  })
  if (failures.length > 0) {
    await tx`
      insert into import_failures (organization_id, import_id, row_index, row_number, cells, problems)
      select ${record.organizationId}, ${record.id}, row_index, row_number, cells::jsonb, problems::jsonb
      from ${rowsTable(tx, "failure", failures, {
        rowIndex: ["int", ({ line }) => line.index],
        rowNumber: ["int", ({ line }) => line.rowNumber],
        cells: ["text", ({ line }) => storable(line.cells.map((cell) => cellToText(cell)))],
        problems: ["text", ({ problems }) => storable(problems)],
      })}`
  }
  return {
    valid: outcomes.length - failures.length,
    invalid: failures.length,
    created: created.length,
    changed: changed.length,
  }
}

/** JSON text for the database, which cannot keep the character U+0000. */
function storable(value: unknown): string {
  return JSON.stringify(value).replaceAll("\\u0000", "\\ufffd")
}

/**
 * Marks the failed rows of an earlier import that these lines brought in corrected. Lines whose row came in
 * before are refused first, see `alreadyResolved`.
 */
export async function resolveFailures(
  tx: Tx,
  record: Pick<ImportRow, "organizationId" | "id" | "continues">,
  rowNumbers: readonly number[],
): Promise<void> {
  if (record.continues === null || rowNumbers.length === 0) return
  await tx`
    update import_failures set resolved_by = ${record.id}
    where organization_id = ${record.organizationId} and import_id = ${record.continues}
      and row_number = any (${rowNumbers as number[]}) and resolved_by is null`
}

/** The rows of the first upload that another corrected file has brought in already. */
export async function alreadyResolved(
  tx: Tx,
  record: Pick<ImportRow, "organizationId" | "id" | "continues">,
  rowNumbers: readonly number[],
): Promise<Set<number>> {
  if (record.continues === null || rowNumbers.length === 0) return new Set()
  const rows = await tx<{ rowNumber: number }[]>`
    select row_number from import_failures
    where organization_id = ${record.organizationId} and import_id = ${record.continues}
      and row_number = any (${rowNumbers as number[]}) and resolved_by is not null for update`
  return new Set(rows.map(({ rowNumber }) => rowNumber))
}
