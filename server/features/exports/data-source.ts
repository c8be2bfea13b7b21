import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database.ts"
import { dataExportErrors } from "./errors.ts"
import type { ExportSource } from "./source.ts"

/** What an export of data records asks for, as it is stored with its log entry. */
export interface DataExportWish {
  dataTypeId: string | undefined
  hubId: string | undefined
  fields: readonly string[] | undefined
  sortBy: string
  direction: "asc" | "desc"
  limit: number | undefined
  offset: number
}

export async function dataSource(
  _tx: Tx,
  _caller: Caller,
  _wish: DataExportWish,
): Promise<ExportSource<unknown>> {
  throw dataExportErrors.badExport()
}
