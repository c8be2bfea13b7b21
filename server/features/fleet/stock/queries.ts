import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { hubNames } from "../../organization/hubs/index.ts"
import { vehicleFacts } from "../../work/vehicles/index.ts"

export interface LevelRow {
  itemId: string
  code: string
  name: string
  unit: string | null
  holderKind: string
  holderId: string
  holderName: string
  quantity: number
}

export interface MovementRow {
  id: Id<"stock-movement">
  kind: string
  itemId: string
  code: string
  name: string
  unit: string | null
  fromName: string | null
  toName: string | null
  quantity: number
  missing: number
  counted: number | null
  taskId: string | null
  note: string | null
  createdBy: string
  createdTime: Temporal.Instant
}

export interface StockFilter {
  vehicleId?: string | undefined
  hubId?: string | undefined
  itemId?: string | undefined
}

/** Vehicles and hubs that the caller has access to, as holders of stock. */
function holders(sql: Sql, caller: Caller): Fragment {
  const { organizationId } = caller
  return sql`(
    select 'vehicle' as kind, id, name from ${vehicleFacts(sql, organizationId)} vehicles where ${inCallersHubs(sql, caller, sql`hub_id`)}
    union all
    select 'hub', id, name from ${hubNames(sql, organizationId)} hubs where ${inCallersHubs(sql, caller, sql`id`)})`
}

export function listLevels(
  sql: Sql,
  caller: Caller,
  { vehicleId, hubId, itemId }: StockFilter,
  page: PageOptions,
): Promise<Listed<LevelRow>> {
  return listRows<LevelRow>(sql, page, {
    columns: sql`levels.item_id, items.code, items.name, items.unit, levels.holder_kind, levels.holder_id,
      holders.name as holder_name, levels.quantity::float8 as quantity`,
    from: sql`from stock_levels levels
      join stock_items items on items.organization_id = levels.organization_id and items.id = levels.item_id
      join ${holders(sql, caller)} holders on holders.kind = levels.holder_kind and holders.id = levels.holder_id
      where levels.organization_id = ${caller.organizationId} and levels.quantity > 0
        ${vehicleId ? sql`and levels.holder_kind = 'vehicle' and levels.holder_id = ${vehicleId.toLowerCase()}` : sql``}
        ${hubId ? sql`and levels.holder_kind = 'hub' and levels.holder_id = ${hubId.toLowerCase()}` : sql``}
        ${itemId ? sql`and levels.item_id = ${itemId.toLowerCase()}` : sql``}`,
    order: sql`lower(items.name), items.id, holders.name, holders.id`,
  })
}

/** Movements out of, into or between holders that the caller has access to; of both, where there are two. */
export function listMovements(
  sql: Sql,
  caller: Caller,
  { vehicleId, hubId, itemId, isMissing }: StockFilter & { isMissing?: boolean | undefined },
  page: PageOptions,
): Promise<Listed<MovementRow>> {
  const at = (kind: string, id: string) => sql`and (
    movements.from_kind = ${kind} and movements.from_id = ${id.toLowerCase()} or movements.to_kind = ${kind} and movements.to_id = ${id.toLowerCase()})`
  const everywhere =
    caller.hubs === "all" ? sql`or movements.from_id is null and movements.to_id is null` : sql``
  return listRows<MovementRow>(sql, page, {
    columns: sql`movements.id, movements.kind, movements.item_id, items.code, items.name, items.unit, source.name as from_name,
      target.name as to_name, movements.quantity::float8 as quantity, movements.missing::float8 as missing,
      movements.counted::float8 as counted, movements.task_id, movements.note, movements.created_by, movements.created_time`,
    from: sql`from stock_movements movements
      join stock_items items on items.organization_id = movements.organization_id and items.id = movements.item_id
      left join ${holders(sql, caller)} source on source.kind = movements.from_kind and source.id = movements.from_id
      left join ${holders(sql, caller)} target on target.kind = movements.to_kind and target.id = movements.to_id
      where movements.organization_id = ${caller.organizationId} and (source.id is not null or target.id is not null ${everywhere})
        ${vehicleId ? at("vehicle", vehicleId) : sql``} ${hubId ? at("hub", hubId) : sql``}
        ${itemId ? sql`and movements.item_id = ${itemId.toLowerCase()}` : sql``}
        ${isMissing ? sql`and movements.missing > 0` : sql``}`,
    order: sql`movements.created_time desc, movements.id desc`,
  })
}
