import { randomBytes } from "node:crypto"
import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { SheetValue } from "#packages/spreadsheets/sheet-values.ts"
import { taskColumn } from "#shared/task-fields.ts"
import type { FlowComponent, FlowPage } from "../../work/flows/index.ts"
import {
  sortExpression,
  type TaskFilter,
  taskConditions,
  titleOf,
  visibleTasks,
} from "../../work/tasks/index.ts"
import { type ConfigField, chooseColumns, type FlowOfExport } from "./columns/choose-columns.ts"
import { localTimeOf } from "./columns/local-time.ts"
import { hasOwnColumn, isHeading, isTaskKey, type TaskExportRow } from "./columns/task-columns.ts"
import { readAhead } from "./read-ahead.ts"
import type { ExportSource, ItemSheet } from "./source.ts"

/** What a task export asks for, as it is stored with its log entry. */
export interface TaskExportOptions {
  filter: TaskFilter
  taskIds: readonly string[] | undefined
  /** Keys in the order of the columns; undefined for all groups. */
  fields: readonly string[] | undefined
  /** Of a saved configuration: keys with their titles. */
  configFields: readonly ConfigField[] | undefined
  sortBy: string
  direction: "asc" | "desc"
  /** Undefined for all. */
  limit: number | undefined
  offset: number
}

/** Small enough that taking one apart keeps nobody waiting. */
const batchRows = 500

/**
 * Tasks that the caller may see and that match, in one order, with their columns. Without `hasPlaces` no task contains its
 * place.
 */
export async function taskSource(
  tx: Tx,
  caller: Caller,
  options: TaskExportOptions,
  { now, hasPlaces }: { now: Temporal.Instant; hasPlaces: boolean },
): Promise<ExportSource<TaskExportRow>> {
  const chosen = chosenTasks(tx, caller, options, now)
  const flows = await flowsOf(tx, caller, chosen.where)
  const toLocal = localTimeOf(caller.timeZone)
  const columns = chooseColumns(flows, options, { toLocal, language: caller.language })
  const keys = new Set(columns.map(({ key }) => key))
  const needed = new Set([
    ...keys,
    ...(hasPlaces ? ["lng", "lat", "title", "flow"] : []),
    ...(columns.some(({ key }) => !isTaskKey(key)) ? ["values"] : []),
    ...(columns.some(({ key }) => !hasOwnColumn(key) || isHeading(key)) ? ["attributes"] : []),
  ])
  const items = flows
    .flatMap(({ pages }) => componentsOf(pages))
    .filter(({ component, id }) => (component === "list" || component === "bill") && keys.has(id))
  const itemSheets = [...new Map(items.map((component) => [component.id, component])).values()].map(
    (component) => itemSheet(component, chosen),
  )
  return {
    sheetName: "Tasks",
    columns,
    itemSheets,
    batches: (snapshot) => readRows(snapshot, chosen, needed),
    idOf: ({ id }) => id,
    nameOf: ({ title, flow, id }) => title || flow || id,
    placeOf: ({ lng, lat }) => (lng === null || lat === null ? undefined : [lng, lat]),
  }
}

/** How many rows the export will have: its matches, within page and limit. */
export async function countTaskRows(
  sql: Sql,
  caller: Caller,
  options: TaskExportOptions,
  now: Temporal.Instant,
): Promise<number> {
  const { where } = chosenTasks(sql, caller, options, now)
  const rows = await sql<{ total: number }[]>`select count(*) as total from tasks where ${where}`
  return Math.max(
    0,
    Math.min((rows[0]?.total ?? 0) - options.offset, options.limit ?? Number.POSITIVE_INFINITY),
  )
}

/** The ids of the tasks, in their order. */
export async function chosenTaskIds(
  tx: Tx,
  caller: Caller,
  options: TaskExportOptions,
  now: Temporal.Instant,
): Promise<string[]> {
  const ids: string[] = []
  for await (const rows of readRows(tx, chosenTasks(tx, caller, options, now), new Set()))
    ids.push(...rows.map(({ id }) => id))
  return ids
}

interface Chosen {
  organizationId: string
  where: Fragment
  order: Fragment
  range: Fragment
}

function chosenTasks(sql: Sql, caller: Caller, options: TaskExportOptions, now: Temporal.Instant): Chosen {
  const { where, words } = taskConditions(sql, caller, options.filter, now)
  const ticked = options.taskIds
    ? sql`and tasks.id = any (${options.taskIds.map((id) => id.toLowerCase())})`
    : sql``
  const column = taskColumn(options.sortBy)
  const direction = options.direction === "asc" ? sql`asc` : sql`desc`
  const key = column ? sql`${sql(column)}` : sortExpression(sql, caller.organizationId, options.sortBy)
  return {
    organizationId: caller.organizationId,
    where: sql`${visibleTasks(sql, caller)} and ${where} and ${words ?? sql`true`} ${ticked}`,
    order: sql`order by ${key} ${direction}, id ${direction}`,
    range: sql`${options.limit === undefined ? sql`` : sql`limit ${options.limit}`} offset ${options.offset}`,
  }
}

/** The flows of the matching tasks, as far as they still exist, in their own order. */
async function flowsOf(tx: Tx, caller: Caller, where: Fragment): Promise<FlowOfExport[]> {
  return tx<FlowOfExport[]>`
    select id, name, pages from flows
    where organization_id = ${caller.organizationId} and id in (select flow_id from tasks where ${where})
    order by order_index desc, id desc`
}

/** What is read of a task, in the order that `rowOf` takes it apart, each with the keys that need it. */
const rowParts: readonly (readonly [expression: string, ...keys: string[]])[] = [
  ["flow_id", "flowId"],
  ["flow", "flow"],
  ["hub_id", "hubId", "hub"],
  ["status", "status", "outcome", "_outcome"],
  ["task_type", "taskType"],
  ["title", "title"],
  ["content", "content"],
  ["label", "label"],
  ["lng", "lng"],
  ["lat", "lat"],
  ["array_to_string(assignee, chr(30))", "assignee"],
  ["assigned_to->>'name'", "assignedTo"],
  ["assigned_by", "assignedBy"],
  ["date_part('epoch', assigned_time)", "assignedTime"],
  ["date_part('epoch', start_time)", "startTime"],
  ["date_part('epoch', end_time)", "endTime"],
  ["date_part('epoch', created_time)", "createdTime"],
  ["date_part('epoch', updated_time)", "updatedTime"],
  ["date_part('epoch', done_time)", "doneTime"],
  ["created_by", "createdBy"],
  ["updated_by", "updatedBy"],
  ["created_from", "createdFrom"],
  ["done_by", "doneBy"],
  ["order_index", "orderIndex"],
  ["ref_id", "refId"],
  ["parent_id", "parentId"],
  ["routing_result_id", "routingResultId"],
  ['"values"', "values"],
  ["attributes", "attributes"],
  [
    `(select json_agg(json_build_object('id', id, 'action', action, 'notes', notes,
        'ms', round(extract(epoch from created_at) * 1000)) order by created_at, id)
      from task_histories h where h.organization_id = tasks.organization_id and h.task_id = tasks.id)`,
    "histories",
  ],
]

/**
 * The parts of a row that the columns need come as one text with marks between them: thirty columns of their own cost
 * this process 12 µs a row, their text 4, and a JSON array costs the database 5 µs more than either. The marks are made up
 * for each export, so that no text can hold them by accident or on purpose.
 */
async function* readRows(
  tx: Tx,
  { organizationId, where, order, range }: Chosen,
  needed: ReadonlySet<string>,
): AsyncGenerator<TaskExportRow[]> {
  const hubs = await hubNames(tx, organizationId)
  const [between, nothing] = [`\u001f${randomMark()}`, `\u001e${randomMark()}`]
  const parts = rowParts.map(([expression, ...keys]) =>
    keys.some((key) => needed.has(key))
      ? tx`coalesce((${tx.unsafe(expression)})::text, ${nothing}::text)`
      : tx`${nothing}::text`,
  )
  const list = parts.reduce((sofar, next) => tx`${sofar}, ${next}`, tx`id`)
  const cursor = tx<{ parts: string }[]>`
    select concat_ws(${between}::text, ${list}) as parts from tasks where ${where} ${order} ${range}`.cursor(
    batchRows,
  )
  for await (const rows of readAhead(cursor))
    yield rows.map((row) => rowOf(row.parts.split(between), nothing, { organizationId, hubs }))
}

function randomMark(): string {
  return randomBytes(3).toString("base64url")
}

function rowOf(
  parts: readonly string[],
  nothing: string,
  { organizationId, hubs }: { organizationId: string; hubs: ReadonlyMap<string, string> },
): TaskExportRow {
  const text = (place: number) => parts[place] ?? ""
  const textOrNull = (place: number) => (parts[place] === nothing ? null : text(place))
  const numberOrNull = (place: number) => (parts[place] === nothing ? null : Number(parts[place]))
  const milliseconds = (place: number) => Math.round(Number(parts[place]) * 1000)
  const millisecondsOrNull = (place: number) => (parts[place] === nothing ? null : milliseconds(place))
  return {
    id: text(0),
    organizationId,
    flowId: text(1),
    flow: text(2),
    hubId: text(3),
    hubName: hubs.get(text(3)) ?? null,
    status: text(4),
    taskType: text(5),
    title: textOrNull(6),
    content: textOrNull(7),
    label: textOrNull(8),
    lng: numberOrNull(9),
    lat: numberOrNull(10),
    assignee: text(11) === "" ? [] : text(11).split("\u001e"),
    assignedName: textOrNull(12),
    assignedBy: textOrNull(13),
    assignedMs: millisecondsOrNull(14),
    startMs: milliseconds(15),
    endMs: milliseconds(16),
    createdMs: milliseconds(17),
    updatedMs: milliseconds(18),
    doneMs: millisecondsOrNull(19),
    createdBy: textOrNull(20),
    updatedBy: textOrNull(21),
    createdFrom: text(22),
    doneBy: textOrNull(23),
    orderIndex: Number(parts[24]),
    refId: textOrNull(25),
    parentId: textOrNull(26),
    routingResultId: textOrNull(27),
    values: objectOf(textOrNull(28)),
    attributes: objectOf(textOrNull(29)),
    histories: parts[30] === nothing ? [] : JSON.parse(text(30)),
  }
}

const empty = {}

function objectOf(text: string | null): Record<string, unknown> {
  return text === null || text === "{}" ? empty : JSON.parse(text)
}

async function hubNames(sql: Sql, organizationId: string): Promise<Map<string, string>> {
  const found = await sql<{ id: string; name: string }[]>`
    select id, name from hubs where organization_id = ${organizationId}`
  return new Map(found.map(({ id, name }) => [id, name]))
}

function componentsOf(pages: readonly FlowPage[]): FlowComponent[] {
  return pages.flatMap(({ components }) => components)
}

interface Item {
  title?: unknown
  name?: unknown
  qty?: unknown
  qtyProcessed?: unknown
  unitPrice?: unknown
  unit_price?: unknown
}

/** One row per item, read in a second pass over the same snapshot. */
function itemSheet(component: FlowComponent, { where, order, range }: Chosen): ItemSheet {
  const isBill = component.component === "bill"
  const titles = ["ID", "Item", "Qty", "Qty Processed", ...(isBill ? ["Price", "Total"] : [])]
  return {
    title: titleOf(component),
    columns: titles.map((title) => ({ title })),
    async *rows(tx) {
      const cursor = tx<{ id: string; items: Item[] | null }[]>`
        select id, case when jsonb_typeof("values"->${component.id}) = 'array' then "values"->${component.id} end as items
        from tasks where ${where} ${order} ${range}`.cursor(batchRows)
      for await (const rows of cursor) {
        for (const { id, items } of rows) for (const item of items ?? []) yield itemCells(id, item, isBill)
      }
    },
  }
}

function itemCells(id: string, item: Item, isBill: boolean): SheetValue[] {
  const text = (value: unknown): SheetValue =>
    typeof value === "string" || typeof value === "number" ? value : null
  const price = text(item.unitPrice ?? item.unit_price)
  const own = [id, text(item.title ?? item.name), text(item.qty), text(item.qtyProcessed)]
  // Products of decimal prices carry binary dust, such as 0.30000000000000004.
  const total = Number((Number(item.qty ?? 0) * Number(price ?? 0)).toFixed(6))
  return isBill ? [...own, price, total] : own
}

export function readFieldList(fields: string | undefined): string[] | undefined {
  const keys = commaList(fields ?? "")
  return keys.length > 0 ? keys : undefined
}
