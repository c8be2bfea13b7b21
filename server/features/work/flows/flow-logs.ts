import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { rowsTable } from "#core/database/rows-table.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"

export const flowLogActions = ["create", "put", "reorder"] as const
export type FlowLogAction = (typeof flowLogActions)[number]

export interface FlowLogRow {
  id: Id<"flow-log">
  organizationId: Id<"organization">
  flowId: Id<"flow">
  action: FlowLogAction
  changedBy: string
  version: number
  rawData: Record<string, unknown>
  changeData: Record<string, unknown>
  createdTime: Temporal.Instant
}

export interface NewFlowLog {
  flowId: string
  action: FlowLogAction
  version: number
  /** The flow before the change; for a new one what was sent. */
  rawData: unknown
  changeData: unknown
}

/** Keeps both states of each changed flow, in the transaction of the change. */
export async function insertFlowLogs(
  tx: Tx,
  author: { organizationId: string; name: string },
  logs: readonly NewFlowLog[],
): Promise<void> {
  if (logs.length === 0) return
  await tx`
    insert into flow_logs (organization_id, id, flow_id, action, changed_by, version, raw_data, change_data)
    select ${author.organizationId}, id, flow_id, action, ${author.name}, version, raw_data, change_data
    from ${rowsTable(tx, "log", logs, {
      id: ["id", () => newId()],
      flowId: ["id", ({ flowId }) => flowId],
      action: ["text", ({ action }) => action],
      version: ["int", ({ version }) => version],
      rawData: ["json", ({ rawData }) => rawData],
      changeData: ["json", ({ changeData }) => changeData],
    })}`
}

export interface FlowLogFilter {
  action: FlowLogAction | undefined
  flowIds: readonly string[] | undefined
  direction: "asc" | "desc"
}

export function listFlowLogs(
  sql: Sql,
  caller: Caller,
  filter: FlowLogFilter,
  page: PageOptions,
): Promise<Listed<FlowLogRow>> {
  const condition = sql`organization_id = ${caller.organizationId}
    ${filter.action === undefined ? sql`` : sql`and action = ${filter.action}`}
    ${filter.flowIds === undefined ? sql`` : sql`and flow_id = any (${filter.flowIds as string[]})`}`
  const direction = filter.direction === "asc" ? sql`asc` : sql`desc`
  return listRows<FlowLogRow>(sql, page, {
    columns: sql`id, organization_id, flow_id, action, changed_by, version, raw_data, change_data, created_time`,
    from: sql`from flow_logs where ${condition}`,
    order: sql`created_time ${direction}, id ${direction}`,
  })
}

export async function findFlowLog(
  sql: Sql,
  caller: Caller,
  flowId: string,
  flowLogId: string,
): Promise<FlowLogRow | undefined> {
  const rows = await sql<FlowLogRow[]>`
    select id, organization_id, flow_id, action, changed_by, version, raw_data, change_data, created_time
    from flow_logs
    where organization_id = ${caller.organizationId} and flow_id = ${flowId.toLowerCase()} and id = ${flowLogId.toLowerCase()}`
  return rows[0]
}

export function toWireFlowLog(row: FlowLogRow) {
  const time = toT2(row.createdTime)
  return {
    _id: row.id,
    flowId: row.flowId,
    action: row.action,
    changedBy: row.changedBy,
    version: row.version,
    rawData: row.rawData,
    changeData: row.changeData,
    organizationId: row.organizationId,
    createdTime: time,
    updatedTime: time,
  }
}
