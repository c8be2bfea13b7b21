import pLimit from "p-limit"
import { taskChanges } from "#core/audit-trail/earlier-tasks.ts"
import type { Sql } from "#core/database/database.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import type { Day } from "./past-ids.ts"

/** Fields of a past task, by the column of each. */
const columnOf = {
  ...{ title: "title", hubId: "hub_id", status: "status", assignee: "assignee", orderIndex: "order_index" },
  ...{ startTime: "start_time", endTime: "end_time", lat: "lat", lon: "lng" },
} as const
export type PastTaskField = keyof typeof columnOf

export const pastTaskFields = Object.keys(columnOf) as PastTaskField[]

export function isPastTaskField(name: string): name is PastTaskField {
  return Object.hasOwn(columnOf, name)
}

/** A task at some moment. */
export interface PastTask {
  id: string
  title: string | null
  hubId: string
  status: string
  assignee: string[]
  orderIndex: number | null
  lat: number | null
  lon: number | null
  /** Epoch milliseconds. */
  startTime: number
  /** Null where there is none. */
  endTime: number | null
  /** As JSON, with the fields that were asked for last. */
  written?: { fields: string; text: string } | undefined
}

/** The values of a task's columns; of a deleted task all but the id are null. */
type Row = PastTask & { taskType: string }

interface Change {
  /** Epoch milliseconds. */
  time: number
  number: number
  /** The columns that changed, as they were; null when the task was created. */
  before: Record<string, unknown> | null
}

/** A task as it is, with its changes since a moment, the latest first. */
export interface History {
  present: Row
  changes: Change[]
  /** What the task was when so many of the changes were still to come; null when it did not belong to the day. */
  versions: (PastTask | null | undefined)[] | undefined
  /** Bytes of the changes, and some for the task. */
  size: number
}

/** Tasks that are read at a time: PostgreSQL finds the next ones while the changes of others are parsed. */
const tasksOfPart = 2_000
const partsAtOnce = 3
const bytesOfTask = 200

/** The name of a column's value. */
const nameOf = new Map<string, string>([
  ["task_type", "taskType"],
  ...Object.entries(columnOf).map(([name, column]) => [column, name] as const),
])

const deleted = Object.fromEntries([...nameOf.values()].map((name) => [name, null])) as unknown as Row

interface Reading<Made> {
  ids: readonly string[]
  since: Temporal.Instant
  /** Undefined is left out. */
  make: (history: History) => Made | undefined
}

/** Reads tasks with their changes since a moment, and what is made of each. */
export async function readHistories<Made>(
  sql: Sql,
  organizationId: string,
  { ids, since, make }: Reading<Made>,
): Promise<Made[]> {
  const made = await inParts(ids, async (part) => {
    // Before their changes: one that is made meanwhile is taken back without effect.
    const rows = await readPresent(sql, organizationId, part)
    const present = new Map(rows.map((row) => [row.id, row]))
    const histories = new Map(part.map((id) => [id, historyOf(present.get(id) ?? { ...deleted, id })]))
    await readChanges(sql, organizationId, { ids: part, histories, since })
    return await mapInSlices([...histories.values()], make)
  })
  return made.flat().filter((one) => one !== undefined)
}

interface EarlierChanges {
  histories: ReadonlyMap<string, History>
  since: Temporal.Instant
  /** The histories have all changes after this moment. */
  until: Temporal.Instant
}

/** Adds earlier changes to histories, and returns the bytes of them. */
export async function addChanges(sql: Sql, organizationId: string, changes: EarlierChanges): Promise<number> {
  const sizes = await inParts([...changes.histories.keys()], (ids) =>
    readChanges(sql, organizationId, { ...changes, ids }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function inParts<Made>(ids: readonly string[], read: (part: string[]) => Promise<Made>): Promise<Made[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / tasksOfPart) }, (_, index) =>
    ids.slice(index * tasksOfPart, (index + 1) * tasksOfPart),
  )
  return pLimit(partsAtOnce).map(parts, read)
}

function readPresent(sql: Sql, organizationId: string, ids: string[]): Promise<Row[]> {
  const values = [...nameOf].map(([column, name]) => {
    const milliseconds = `round(date_part('epoch', date_trunc('milliseconds', ${column})) * 1000)`
    return `${column.endsWith("_time") ? milliseconds : column} as "${name}"`
  })
  return sql<Row[]>`
    select id, ${sql.unsafe(values.join(", "))} from tasks where organization_id = ${organizationId} and id = any (${ids})`
}

async function readChanges(
  sql: Sql,
  organizationId: string,
  {
    ids,
    histories,
    since,
    until,
  }: Omit<EarlierChanges, "until"> & { ids: string[]; until?: Temporal.Instant | undefined },
): Promise<number> {
  const rows = await sql<{ id: string; changes: string }[]>`
    ${taskChanges(sql, { organizationId, at: since, until }, ids)}`
  let read = 0
  await mapInSlices(rows, ({ id, changes }) => {
    const history = histories.get(id)
    if (history) history.changes = history.changes.concat(changesOf(changes))
    if (history) history.size += changes.length
    read += changes.length
  })
  return read
}

function historyOf(present: Row): History {
  return { present, changes: [], versions: undefined, size: bytesOfTask }
}

function changesOf(text: string): Change[] {
  const parts = JSON.parse(`[${text}]`)
  const changes: Change[] = []
  for (let index = 0; index < parts.length; index += 3)
    changes.push({ time: parts[index], number: parts[index + 1], before: parts[index + 2] })
  // A copy, as elsewhere a list of its length: one that grows keeps room for many more, and there is one for each task.
  return changes.toSorted((one, other) => other.time - one.time || other.number - one.number)
}

/** The task at a moment, in epoch milliseconds. Undefined when it did not belong to the day then. */
export function taskAt(history: History, time: number, day: Day): PastTask | undefined {
  const { present, changes } = history
  history.versions ??= new Array(changes.length + 1)
  const { versions } = history
  let later = 0
  while ((changes[later]?.time ?? 0) > time) later += 1
  const known = versions[later]
  if (known !== undefined) return known ?? undefined
  const task = later === 0 ? present : rowBefore(present, changes.slice(0, later))
  const isShown = task !== undefined && isOfDay(task, day)
  versions[later] = isShown ? task : null
  return isShown ? task : undefined
}

/** Takes the changes back. Undefined when the task was created with them. */
function rowBefore(present: Row, changes: Change[]): Row | undefined {
  const row: Row & Record<string, unknown> = { ...present, written: undefined }
  // The change with the lowest number has the value of the moment, column by column.
  changes.sort((one, other) => other.number - one.number)
  for (const { before } of changes) {
    for (const column in before) {
      const name = nameOf.get(column)
      const value = before[column]
      if (name) row[name] = column.endsWith("_time") && value ? Date.parse(String(value)) : value
    }
  }
  return changes.at(-1)?.before ? row : undefined
}

function isOfDay(row: Row, { from, until, openSince }: Day): boolean {
  const { startTime, endTime, status, taskType } = row
  return (
    taskType === "task" &&
    startTime < until.epochMilliseconds &&
    (startTime >= from.epochMilliseconds ||
      (status !== "DONE" && endTime !== null && endTime >= openSince.epochMilliseconds))
  )
}
