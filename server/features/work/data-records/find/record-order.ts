import type { Caller } from "#core/access/caller.ts"
import { type CursorOrder, findPlace, type Place, readPlace } from "#core/cursor-paging.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type Direction, ownEntry } from "#core/paging.ts"
import { findRemovedRow, keptRows } from "#core/trash.ts"
import { nameOfHub } from "../../../organization/hubs/index.ts"
import { type DataTypeRow, hasOrder } from "../../data-types/index.ts"
import { dataErrors } from "../errors.ts"

export interface RecordOrder {
  sortBy: string
  direction: Direction
}

const indexedOrders: Record<string, string> = { createdTime: "created_time", updatedTime: "updated_time" }
const sortableColumns: Record<string, string> = {
  _id: "id",
  dataId: "data_id",
  dataTypeId: "data_type_id",
  hubId: "hub_id",
  createdBy: "created_by",
  updatedBy: "updated_by",
  limitUser: "limit_user",
}

/** Whether an index gives the order, so that any number of records may be sorted. */
export function isIndexedOrder({ sortBy }: RecordOrder): boolean {
  return ownEntry(indexedOrders, sortBy) !== undefined
}

export function cursorOrder(sql: Sql, order: RecordOrder, type: DataTypeRow | undefined): CursorOrder {
  const isNullable = !isIndexedOrder(order)
  return { ...order, value: sortExpression(sql, order.sortBy, type), id: sql`data_records.id`, isNullable }
}

/** Reads a `nextCursor`, or the `_id` of a record of the organization, also of one removed within the last 30 days. */
export async function readRecordCursor(
  sql: Sql,
  { organizationId }: Caller,
  order: CursorOrder,
  cursor: string,
): Promise<Place> {
  const place = await readPlace(sql, order, cursor, {
    table: keptRows(sql, "data_records", [{}]),
    async placeOf(id) {
      const stored = await findPlace(
        sql,
        order,
        sql`data_records where organization_id = ${organizationId} and id = ${id}`,
      )
      if (stored) return stored
      const removed = await findRemovedRow(sql, organizationId, "Data", id)
      return removed === undefined
        ? undefined
        : findPlace(sql, order, keptRows(sql, "data_records", [removed]))
    },
  })
  if (!place) throw dataErrors.unknownCursor()
  return place
}

export function sortExpression(sql: Sql, sortBy: string, type: DataTypeRow | undefined): Fragment {
  const column = ownEntry(indexedOrders, sortBy) ?? ownEntry(sortableColumns, sortBy)
  if (column) return sql`data_records.${sql(column)}`
  if (sortBy === "hub.name")
    return nameOfHub(sql, sql`data_records.organization_id`, sql`data_records.hub_id`)
  const field = type?.fields.find((candidate) => candidate.id === sortBy)
  if (field && hasOrder(field)) return sql`(data_records.ordered->>${sortBy})::float8`
  return sql`data_records."values"->${sortBy}`
}
