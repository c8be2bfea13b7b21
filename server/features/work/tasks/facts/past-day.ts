import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import { toT1 } from "#shared/wire-time.ts"
import { audienceOf } from "../read/audience.ts"
import {
  columnsOfTasks,
  type Day,
  type Moment,
  type PastTaskField,
  pastTaskFields,
  presentRows,
  rowsOfDay,
  type TasksAt,
} from "./day-rows.ts"

/** A task at some time of the day. */
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
  start: number
  /** NaN where there is none. */
  end: number
  /** Its place in the order of ids. */
  rank: number
  /** As JSON, with the fields that were asked for last. */
  written: { fields: string | undefined; text: string }
}

/** What a task was before a time, in epoch milliseconds; undefined when it did not belong to the day. */
interface Version {
  before: number
  task: PastTask | undefined
}

/** Tasks of a day with everything that changed in its course. */
export interface PastDay {
  /** Of each task its versions, the latest first; tasks in the order of their start. */
  histories: readonly (readonly Version[])[]
  /** Moments from here on, in epoch milliseconds, may still change. */
  settledUntil: number
  /** Bytes that were read. */
  size: number
}

/** A transaction writes its changes with the time of its beginning, and is over after so long. */
export const settledAfter = { minutes: 10 }
/** Days with more changes, or more bytes, are not kept in memory. */
const maxChanges = 150_000
const maxBytes = 16_000_000
/** Long columns that no moment shows. */
const notShown = ["values", "attributes", "content", "label"]

type Row = Record<string, unknown>
type Change = [milliseconds: number, number: number, isCreate: boolean, before: Row | null]

/** Reads a day. Undefined when it is too large to be kept. */
export async function readPastDay(
  sql: Sql,
  { organizationId }: Caller,
  day: Day,
): Promise<PastDay | undefined> {
  // A line is an array: the id, the columns of the task, and its changes since the day began, the latest first.
  const lines = await sql<{ line: string; settledUntil: number; size: number }[]>`
    with ${rowsOfDay(sql, organizationId, { at: day.from, ...day })}, earlier as materialized (
      select id, count(*) as changes, '[' || string_agg(change, ',' order by time desc, number desc) || ']' as line
      from (
        select object_id as id, time, number, '[' || date_part('epoch', time) * 1000 || ',' || number || ',' ||
          (change = 'create') || ',' || coalesce((before - ${notShown}::text[])::text, 'null') || ']' as change
        from audit_parts
        where organization_id = ${organizationId} and object_type = 'task' and time > ${day.from}
          and object_id = any ((select array_agg(id order by id) from ids)::text[])
        limit ${maxChanges + 1}) parts
      group by id
    ), present as (
      ${presentRows(sql, organizationId, day)}
    ), lines as materialized (
      select id, json_build_array(id, ${sql.unsafe(columnsOfTasks.join(", "))}, line::json)::text as line
      from present full join earlier using (id) where (select sum(changes) from earlier) <= ${maxChanges}
    )
    select line, size, extract(epoch from least(${day.until}, now() - ${`${settledAfter.minutes} minutes`}::interval))::float8 * 1000 as settled_until
    from lines, (select sum(octet_length(line)) as size from lines) sizes where size <= ${maxBytes} order by id`
  const [one] = lines
  if (!one) return undefined
  const histories = await mapInSlices([...lines.entries()], ([rank, { line }]) => {
    const [id, ...rest] = JSON.parse(line)
    const changes = (rest.pop() ?? []) as Change[]
    const present = Object.fromEntries(columnsOfTasks.map((name, index) => [name, rest[index]]))
    return versionsOf({ id, rank, present, changes }, day)
  })
  return {
    histories: histories
      .filter(({ length }) => length > 0)
      .sort(([one], [other]) => byStart(one?.task, other?.task)),
    settledUntil: one.settledUntil,
    size: one.size,
  }
}

interface History {
  id: string
  rank: number
  present: Row
  changes: readonly Change[]
}

/** The change with the lowest number of those after a moment has the value of that moment, column by column. */
function versionsOf({ id, rank, present, changes }: History, day: Day): Version[] {
  const versions: Version[] = []
  const row: Row = {}
  const numbers: Record<string, number> = {}
  let first = Number.POSITIVE_INFINITY
  let before = Number.POSITIVE_INFINITY
  let [isNew, hasChanged] = [false, true]
  const set = (name: string, value: unknown) => {
    row[name] = name.endsWith("_time") ? Date.parse(String(value)) : value
    hasChanged = true
  }
  const add = () => {
    const task = hasChanged && !isNew ? taskOf({ id, rank }, row, day) : undefined
    if (hasChanged && (task || versions.length > 0)) versions.push({ before, task })
    hasChanged = false
  }
  for (const name of columnsOfTasks) set(name, present[name])
  for (const [time, number, isCreate, values] of changes) {
    if (time < before) add()
    before = time
    if (number < first) {
      hasChanged ||= isNew !== isCreate
      ;[first, isNew] = [number, isCreate]
    }
    for (const name of values ? columnsOfTasks : []) {
      if (values?.[name] === undefined || number > (numbers[name] ?? Number.POSITIVE_INFINITY)) continue
      numbers[name] = number
      set(name, values[name])
    }
  }
  add()
  return versions
}

function taskOf(
  key: Pick<PastTask, "id" | "rank">,
  row: Row,
  { from, until, openSince }: Day,
): PastTask | undefined {
  const { start_time: start, end_time: end, hub_id: hubId, order_index: orderIndex, lng: lon } = row
  const { title, status, assignee, lat } = row
  const isOfDay =
    row.task_type === "task" &&
    Number(start) < until.epochMilliseconds &&
    (Number(start) >= from.epochMilliseconds ||
      (status !== "DONE" && Number(end) >= openSince.epochMilliseconds))
  if (!isOfDay) return undefined
  const written = { fields: undefined, text: "" }
  return { ...key, title, hubId, status, assignee, orderIndex, lat, lon, start, end, written } as PastTask
}

function byStart(one: PastTask | undefined, other: PastTask | undefined): number {
  if (!one || !other) return 0
  return one.start - other.start || one.rank - other.rank
}

function taskAt(versions: readonly Version[], time: number): PastTask | undefined {
  for (let index = versions.length - 1; index >= 0; index -= 1) {
    const version = versions[index]
    if (version && version.before > time) return version.task
  }
  return undefined
}

/** The tasks of a moment of the day that the caller sees. */
export async function tasksInMemory(
  sql: Sql,
  caller: Caller,
  past: PastDay,
  moment: Moment,
): Promise<TasksAt> {
  const sees = await sightOf(sql, caller, moment.hubIds)
  const time = moment.at.epochMilliseconds
  const seen: PastTask[] = []
  for (const versions of past.histories) {
    const task = taskAt(versions, time)
    if (task && sees(task)) seen.push(task)
  }
  const listed = seen.sort(byStart).slice(0, moment.maxTasks)
  const tasks = await mapInSlices(listed, writerOf(moment.fields ?? pastTaskFields))
  return {
    tasks: `[${tasks.join(",")}]`,
    routes: JSON.stringify(routesOf(listed)),
    isPart: seen.length > listed.length,
  }
}

/** `inSightOf`, and the hubs that were asked for, as a function. */
async function sightOf(
  sql: Sql,
  caller: Caller,
  hubIds: readonly string[] | undefined,
): Promise<(task: PastTask) => boolean> {
  const audience = await audienceOf(sql, caller)
  const emails = new Set(audience?.emails)
  const hubs = hubIds && new Set(hubIds)
  const own = caller.hubs === "all" ? undefined : new Set<string>(caller.hubs)
  return ({ hubId, assignee }) => {
    if (own?.has(hubId) === false || hubs?.has(hubId) === false) return false
    if (!audience) return true
    return assignee.length === 0 ? audience.withUnassigned : assignee.some((email) => emails.has(email))
  }
}

const time = (milliseconds: number) =>
  Number.isNaN(milliseconds) ? "null" : `"${toT1({ epochMilliseconds: milliseconds })}"`
const write: Record<PastTaskField, (task: PastTask) => string> = {
  title: ({ title }) => JSON.stringify(title),
  hubId: ({ hubId }) => JSON.stringify(hubId),
  status: ({ status }) => JSON.stringify(status),
  assignee: ({ assignee }) => JSON.stringify(assignee),
  orderIndex: ({ orderIndex }) => String(orderIndex),
  startTime: ({ start }) => time(start),
  endTime: ({ end }) => time(end),
  lat: ({ lat }) => String(lat),
  lon: ({ lon }) => String(lon),
}

/** Writes each task once while the same fields are asked for. */
function writerOf(names: readonly PastTaskField[]): (task: PastTask) => string {
  const fields = names.join()
  const parts = names.map((name) => ({ key: `,"${name}":`, write: write[name] }))
  return (task) => {
    if (task.written.fields !== fields) {
      // Joined into one piece: putting thousands of texts of many pieces together takes three times as long.
      const pieces = [`{"_id":"${task.id}"`, ...parts.map(({ key, write }) => key + write(task)), "}"]
      task.written = { fields, text: pieces.join("") }
    }
    return task.written.text
  }
}

function routesOf(tasks: readonly PastTask[]): { email: string; taskIds: string[] }[] {
  const last = Number.POSITIVE_INFINITY
  const openOf = new Map<string, PastTask[]>()
  for (const task of tasks)
    if (task.status === "ONGOING") for (const email of task.assignee) openOf.getOrInsert(email, []).push(task)
  return [...openOf].map(([email, open]) => ({
    email,
    taskIds: open
      .sort((one, other) => (one.orderIndex ?? last) - (other.orderIndex ?? last) || 0)
      .map(({ id }) => id),
  }))
}
