import type { Caller } from "../access/caller.ts"
import type { Sql, Tx } from "../database/database.ts"
import { refuseConflicts, storedColumns } from "../trash.ts"
import type { Columns, Undoing } from "./audited-object.ts"

type Place = Pick<Undoing, "table" | "idColumn">

/** The columns that the audit trail does not keep, by object, as they were before an action. They are kept for minutes. */
export async function readUndoColumns(
  sql: Sql,
  organizationId: string,
  entryId: string,
  type: string,
): Promise<Map<string, Columns>> {
  const rows = await sql<{ objectId: string; columns: Columns }[]>`
    select object_id, columns from undo_columns
    where organization_id = ${organizationId} and entry_id = ${entryId} and object_type = ${type}`
  return new Map(rows.map(({ objectId, columns }) => [objectId, columns]))
}

export async function removeUndoColumnsBefore(sql: Sql, time: Temporal.Instant): Promise<void> {
  await sql`delete from undo_columns where time < ${time}`
}

/** What is kept may be readable, or under a key that is no longer known: no change before now gets such columns back. */
export async function removeUndoColumns(sql: Sql): Promise<void> {
  await sql`delete from undo_columns`
}

/** Gives columns of a row these values. A name that is taken and a parent that is gone become the 409 that says so. */
export async function rewriteRow(
  tx: Tx,
  { organizationId }: Caller,
  { table, idColumn = "id" }: Place,
  id: string,
  values: Columns,
): Promise<void> {
  const columns = await storedColumns(tx, table, Object.keys(values))
  if (columns === "") return
  const own = table === "organizations" ? tx`id` : tx`organization_id`
  await refuseConflicts(
    tx,
    (step) => step`
      update ${step(table)} set (${step.unsafe(columns)}) = (
        select ${step.unsafe(columns)} from jsonb_populate_record(null::${step(table)}, ${JSON.stringify(values)}::text::jsonb))
      where ${own} = ${organizationId} and ${step(idColumn)} = ${id}`,
  )
}

export async function deleteRow(
  tx: Tx,
  { organizationId }: Caller,
  { table, idColumn = "id" }: Place,
  id: string,
): Promise<void> {
  await tx`delete from ${tx(table)} where organization_id = ${organizationId} and ${tx(idColumn)} = ${id}`
}
