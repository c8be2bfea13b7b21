import type { Caller } from "#core/access/caller.ts"
import { readByCaller } from "#core/access/read-by-caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows, orderOf } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import type { FlowConfiguration, FlowPage } from "./component.ts"

export interface FlowRow {
  id: Id<"flow">
  organizationId: Id<"organization">
  name: string
  pages: FlowPage[]
  configurations: FlowConfiguration[]
  isDefault: boolean
  orderIndex: number
  version: number
  createdBy: string | null
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export function flowColumns(sql: Sql): Fragment {
  return sql`flows.id, flows.organization_id, flows.name, flows.pages, flows.configurations, flows.is_default,
    flows.order_index, flows.version, flows.created_by, flows.updated_by, flows.created_time, flows.updated_time`
}

/** The flows that the caller's role may make tasks of, by the settings of add/task; undefined means all. */
export function allowedFlowIds(caller: Caller): readonly string[] | undefined {
  const items = caller.permissionDetails.find((detail) => detail.permissionName === "add/task")?.items
  return Array.isArray(items) && items.length > 0 ? items.map(String) : undefined
}

const sortColumns: Record<string, string> = {
  orderIndex: "order_index",
  name: "name",
  createdTime: "created_time",
  updatedTime: "updated_time",
  version: "version",
  _id: "id",
}

export interface FlowFilter {
  sortBy?: string
  direction: "asc" | "desc"
  onlyAllowed: boolean
}

export function listFlows(
  sql: Sql,
  caller: Caller,
  filter: FlowFilter,
  page: PageOptions,
): Promise<Listed<FlowRow>> {
  const allowed = filter.onlyAllowed ? allowedFlowIds(caller) : undefined
  const condition = sql`organization_id = ${caller.organizationId} ${allowed ? sql`and id = any (${allowed as string[]})` : sql``}`
  return listRows<FlowRow>(sql, page, {
    columns: flowColumns(sql),
    from: sql`from flows where ${condition}`,
    order: orderOf(sql, sortColumns, filter, "order_index"),
  })
}

export const findFlow = readByCaller<FlowRow, Pick<Caller, "organizationId">>((sql, caller, flowIds) =>
  sql<FlowRow[]>`
    select ${flowColumns(sql)} from flows
    where organization_id = ${caller.organizationId} and id = any (${flowIds as string[]})`.reusePlan(),
)

/** The flow for changing it: another change of it waits until this one has committed. */
export async function lockFlow(tx: Tx, caller: Caller, flowId: string): Promise<FlowRow | undefined> {
  const rows = await tx<FlowRow[]>`
    select ${flowColumns(tx)} from flows
    where organization_id = ${caller.organizationId} and id = ${flowId.toLowerCase()} for update`
  return rows[0]
}

export async function placeFlow(
  tx: Tx,
  caller: Caller,
  flowId: string,
  orderIndex: number,
): Promise<FlowRow | undefined> {
  const rows = await tx<FlowRow[]>`
    update flows set order_index = ${orderIndex}, updated_by = ${caller.email}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${flowId}
    returning ${flowColumns(tx)}`
  return rows[0]
}

/** All flows, or those that the list of ids or names has, in the order of the flow list. */
export function findFlows(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  idsOrNames?: readonly string[],
): Promise<FlowRow[]> {
  const wanted = idsOrNames as string[] | undefined
  return sql<FlowRow[]>`
    select ${flowColumns(sql)} from flows where organization_id = ${caller.organizationId}
      ${wanted === undefined ? sql`` : sql`and (id = any (${wanted}) or name = any (${wanted}))`}
    order by order_index desc, id desc`
}

export function findFlowsByName(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  names: readonly string[],
): Promise<FlowRow[]> {
  return sql<FlowRow[]>`
    select ${flowColumns(sql)} from flows
    where organization_id = ${caller.organizationId} and name = any (${names as string[]})`.reusePlan()
}

export interface NewFlow {
  name: string
  pages: readonly unknown[]
  configurations: readonly unknown[]
  isDefault: boolean
  orderIndex: number | undefined
}

/** Undefined when the name is taken. */
export async function insertFlow(sql: Sql, caller: Caller, flow: NewFlow): Promise<FlowRow | undefined> {
  const rows = await sql<FlowRow[]>`
    insert into flows (organization_id, id, name, pages, configurations, is_default, order_index, created_by)
    values (${caller.organizationId}, ${newId<"flow">()}, ${flow.name}, ${json(sql, flow.pages)}, ${json(sql, flow.configurations)},
      ${flow.isDefault}, coalesce(${flow.orderIndex ?? null}::int,
        (select coalesce(max(order_index), 0) + 1 from flows where organization_id = ${caller.organizationId})), ${caller.email})
    on conflict (organization_id, name) do nothing
    returning ${flowColumns(sql)}`
  return rows[0]
}

export function toWireFlow(row: FlowRow) {
  return {
    _id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    pages: row.pages,
    configurations: row.configurations,
    isDefault: row.isDefault,
    orderIndex: row.orderIndex,
    version: row.version,
    createdBy: row.createdBy,
    updatedBy: row.updatedBy,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}

/** All flows of the organization, for questions about the tasks of any of them. */
export function listEveryFlow(sql: Sql, caller: Pick<Caller, "organizationId">): Promise<FlowRow[]> {
  return sql<
    FlowRow[]
  >`select ${flowColumns(sql)} from flows where organization_id = ${caller.organizationId}`
}

/** Organizations with a flow that has a configuration, after an id. */
export async function organizationsWithConfiguration(
  sql: Sql,
  id: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select distinct organization_id from flows
    where organization_id > ${after} and configurations @> ${json(sql, [{ id }])} order by 1 limit ${limit}`
  return rows.map(({ organizationId }) => organizationId)
}

/** The first hub by name, for the sample of a task. */
export async function firstHub(sql: Sql, organizationId: string): Promise<string | null> {
  const rows = await sql<{ id: string }[]>`
    select id from hubs where organization_id = ${organizationId} order by lower(name) limit 1`
  return rows[0]?.id ?? null
}

/** The name of a flow whose lists offer records of a data type. */
export async function findFlowWithType(tx: Tx, caller: Caller, typeId: string): Promise<string | undefined> {
  const [found] = await tx<{ name: string | null }[]>`
    select min(name) as name from flows where organization_id = ${caller.organizationId}
      and jsonb_path_exists(configurations, '$[*].list[*] ? (@.typeId == $type)', jsonb_build_object('type', ${typeId}::text))`
  return found?.name ?? undefined
}
