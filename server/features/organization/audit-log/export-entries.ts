import type { Writable } from "node:stream"
import {
  type AuditFilter,
  type EntryRow,
  listAuditLogAfter,
  listParts,
  type PartRow,
} from "#core/audit-trail/entries.ts"
import type { Sight } from "#core/audit-trail/visible-parts.ts"
import type { Place } from "#core/cursor-paging.ts"
import type { Pool } from "#core/database/database.ts"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import { writeJsonArray } from "#packages/spreadsheets/json/write-json.ts"
import type { SheetColumn, SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { toWireEntry, toWirePart } from "./schemas.ts"

export const exportTypes = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
} as const

const entriesPerPage = 500
const partsPerPage = 1_000

/** Writes entries and all their parts, page by page, so that memory is the same for ten and a million. */
export async function writeAuditExport(
  sql: Pool,
  out: Writable,
  sight: Sight,
  filter: AuditFilter,
  format: keyof typeof exportTypes,
): Promise<void> {
  if (format === "json") await writeJsonArray(out, objects(sql, sight, filter))
  else if (format === "csv") await writeCsv(out, { columns, rows: lines(sql, sight, filter) })
  else await writeXlsx(out, [{ name: "Audit log", columns, rows: lines(sql, sight, filter) }])
}

async function* entries(sql: Pool, sight: Sight, filter: AuditFilter): AsyncGenerator<EntryRow> {
  let place: Place | undefined
  for (;;) {
    const page = await listAuditLogAfter(sql, sight, filter, {
      place,
      direction: "asc",
      limit: entriesPerPage,
    })
    const rows = page.slice(0, entriesPerPage)
    for (const { placeId: _id, placeType: _type, placeValue: _value, ...entry } of rows) yield entry
    place = rows.at(-1)
    if (page.length <= entriesPerPage) return
  }
}

async function* parts(sql: Pool, sight: Sight, entryId: string): AsyncGenerator<PartRow> {
  let after = 0
  for (;;) {
    const page = await listParts(sql, sight, entryId, { after, limit: partsPerPage })
    yield* page
    if (page.length < partsPerPage) return
    after = page.at(-1)?.number ?? after
  }
}

async function* objects(sql: Pool, sight: Sight, filter: AuditFilter): AsyncGenerator<object> {
  for await (const entry of entries(sql, sight, filter)) {
    const { partCount, ...shown } = toWireEntry(entry)
    if (partCount === 0) yield { ...shown, parts: [] }
    else {
      // A mass action of many parts is several objects, so that none is larger than a page.
      let page: object[] = []
      for await (const part of parts(sql, sight, entry.id)) {
        page.push(toWirePart(part))
        if (page.length < partsPerPage) continue
        yield { ...shown, parts: page }
        page = []
      }
      if (page.length > 0) yield { ...shown, parts: page }
    }
  }
}

const columns: readonly SheetColumn[] = [
  { title: "Time (UTC)", kind: "dateTime" },
  { title: "Entry" },
  { title: "Actor" },
  { title: "Actor kind" },
  { title: "Via" },
  { title: "Address" },
  { title: "Action" },
  { title: "Operation" },
  { title: "Change" },
  { title: "Object type" },
  { title: "Object id" },
  { title: "Object name" },
  { title: "Field" },
  { title: "Before" },
  { title: "After" },
]

/** One line for each field that changed. */
async function* lines(sql: Pool, sight: Sight, filter: AuditFilter): AsyncGenerator<SheetValue[]> {
  for await (const entry of entries(sql, sight, filter)) {
    const { id, actorEmail, actorKind, via, address, action, operation } = entry
    const start: SheetValue[] = [
      entry.time.epochMilliseconds,
      ...[id, actorEmail, actorKind, via, address, action, operation],
    ]
    const { targetType, targetId, targetName, before, after } = entry
    if (entry.partCount === 0) {
      yield [...start, null, targetType, targetId, targetName, null, textOf(before), textOf(after)]
      continue
    }
    for await (const part of parts(sql, sight, id)) {
      const { change, objectType, objectId, objectName, changes } = toWirePart(part)
      for (const { field, before: was, after: is } of changes)
        yield [...start, change, objectType, objectId, objectName, field, textOf(was), textOf(is)]
    }
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === "string" ? value : JSON.stringify(value)
}
