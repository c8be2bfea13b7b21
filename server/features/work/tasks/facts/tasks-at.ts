import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import { toT1 } from "#shared/wire-time.ts"
import { audienceOf } from "../read/audience.ts"
import type { PastDays } from "./past-days.ts"
import { type PastTask, type PastTaskField, pastTaskFields } from "./past-tasks.ts"

export interface Moment {
  at: Temporal.Instant
  hubIds: readonly string[] | undefined
  maxTasks: number
  /** Undefined: all. */
  fields: readonly PastTaskField[] | undefined
}

/** JSON texts: the schema of the response would cost the server more than finding the tasks. */
interface TasksAt {
  /** An array of `_id` and the fields that were asked for. */
  tasks: string
  /** An array of `email` and `taskIds`: the open tasks of each person in their planned order, those without one last. */
  routes: string
  /** There were more than `maxTasks`. */
  isPart: boolean
}

/**
 * The tasks of a moment's day as they were then, that the caller sees by the hubs and teams of today: those that started
 * within the day, and open ones from before. They are the tasks as they are with every change since taken back. More than
 * `maxTasks`: the earliest.
 */
export async function tasksAt(sql: Sql, caller: Caller, days: PastDays, moment: Moment): Promise<TasksAt> {
  const { tasks: all, isPart } = await days.tasksAt(sql, caller, moment.at)
  const sees = await sightOf(sql, caller, moment.hubIds)
  const seen = all.filter(sees).sort(byStart)
  const listed = seen.slice(0, moment.maxTasks)
  const tasks = await mapInSlices(listed, writerOf(moment.fields ?? pastTaskFields))
  return {
    tasks: `[${tasks.join(",")}]`,
    routes: JSON.stringify(routesOf(listed)),
    isPart: isPart || seen.length > listed.length,
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

const time = (milliseconds: number | null) =>
  milliseconds === null ? "null" : `"${toT1({ epochMilliseconds: milliseconds })}"`
const write: Record<PastTaskField, (task: PastTask) => string> = {
  title: ({ title }) => JSON.stringify(title),
  hubId: ({ hubId }) => JSON.stringify(hubId),
  status: ({ status }) => JSON.stringify(status),
  assignee: ({ assignee }) => JSON.stringify(assignee),
  orderIndex: ({ orderIndex }) => String(orderIndex),
  startTime: ({ startTime }) => time(startTime),
  endTime: ({ endTime }) => time(endTime),
  lat: ({ lat }) => String(lat),
  lon: ({ lon }) => String(lon),
}

/** Writes each task once while the same fields are asked for. */
function writerOf(names: readonly PastTaskField[]): (task: PastTask) => string {
  const fields = names.join()
  const parts = names.map((name) => ({ key: `,"${name}":`, write: write[name] }))
  return (task) => {
    if (task.written?.fields === fields) return task.written.text
    // Joined into one piece: putting thousands of texts of many pieces together takes three times as long.
    const text = [`{"_id":"${task.id}"`, ...parts.map(({ key, write }) => key + write(task)), "}"].join("")
    task.written = { fields, text }
    return text
  }
}

function byStart(one: PastTask, other: PastTask): number {
  return one.startTime - other.startTime || (one.id < other.id ? -1 : 1)
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
