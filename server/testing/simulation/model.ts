import type { Company, Member } from "./company.ts"
import type { KeptCall } from "./history.ts"

export interface ModelTask {
  id: string
  hubId: string
  status: "UNASSIGNED" | "ONGOING" | "DONE"
  assignee: readonly string[]
  siteName: string
  boxes: number | null
  city: string | null
  note: string | null
  refId: string | null
  startTime: string
  /** The customer's, who is notified when the task is finished. */
  phone: string | null
  isDeleted: boolean
}

export interface ModelRecord {
  id: string
  dataId: string
  note: string | null
  hubId: string
  isDeleted: boolean
}

/** What has happened to a task, as integrators learn of it. */
export interface ModelEvent {
  event: string
  taskId: string
  /** Where the task was then, and whose. */
  hubId: string
  assignee: readonly string[]
}

/** What must be true, kept by plain code: every acknowledged write, and nothing else. */
export class Model {
  readonly tasks = new Map<string, ModelTask>()
  readonly records = new Map<string, ModelRecord>()
  /** Positions by person and second. */
  readonly positions = new Map<string, Map<string, { lat: number; lon: number }>>()
  readonly events: ModelEvent[] = []
  /** Tasks that the schedule made. */
  readonly scheduled = new Set<string>()
  /** The latest time from which the clock was set back: what was due by then may have run. */
  latestTime: Temporal.Instant | undefined
  /** How each task looked at the last comparison. */
  readonly announced = new Map<string, string>()
  /** Sessions of work by person, in seconds; the last one may be open. */
  readonly sessions = new Map<string, { start: number; finish: number | null }[]>()
  /** Filters in stock by vehicle or hub, and what finished tasks used beyond that. */
  readonly stock = new Map<string, number>()
  missingParts = 0
  /** Numbers that were notified of a finished task, by task. */
  readonly messages = new Map<string, string>()
  /** Calls under a key, which may be sent again. */
  readonly kept: KeptCall[] = []
  /** Idempotency keys that were used. */
  keys = 0

  liveTasks(): ModelTask[] {
    return [...this.tasks.values()].filter(({ isDeleted }) => !isDeleted)
  }

  /** Those that a member sees: of the member's hubs, and of field workers only their own. */
  tasksOf(member: Member): ModelTask[] {
    return this.liveTasks().filter((task) => sees(member, task))
  }

  eventsOf(member: Member): ModelEvent[] {
    return this.events.filter((event) => sees(member, event))
  }

  openTasksOf(member: Member): ModelTask[] {
    return this.tasksOf(member).filter(({ status }) => status !== "DONE")
  }

  liveRecords(): ModelRecord[] {
    return [...this.records.values()].filter(({ isDeleted }) => !isDeleted)
  }

  /** A task that the service has made. */
  add(task: ModelTask): void {
    this.tasks.set(task.id, task)
    this.happened("onTaskCreated", task)
  }

  /** Of the response, only what is compared: the rest holds on to the whole request. */
  keep({ reply: { statusCode, body }, ...call }: KeptCall): void {
    this.kept.push({ ...call, reply: { statusCode, body } })
  }

  happened(event: string, { id, hubId, assignee, phone }: ModelTask): void {
    if (event === "onTaskFinished" && phone !== null) this.messages.set(id, phone)
    this.events.push({ event, taskId: id, hubId, assignee })
  }
}

/** Customers who leave a number leave this address, too. */
export const emailOfPhone = (phone: string) => `${phone.slice(1)}@customer.example`

/** Members see what is in their hubs, and field workers only what is theirs. */
function sees(member: Member, { hubId, assignee }: Pick<ModelTask, "hubId" | "assignee">): boolean {
  return member.hubIds.includes(hubId) && (member.part !== "worker" || assignee.includes(member.email))
}

/** Workers who can be assigned in a hub. */
export function workersIn({ workers }: Company, hubId: string): Member[] {
  return workers.filter(({ hubIds }) => hubIds.includes(hubId))
}
