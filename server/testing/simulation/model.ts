import type { Company, Member } from "./company.ts"

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
  /** How each task looked at the last comparison. */
  readonly announced = new Map<string, string>()
  /** Idempotency keys that were used. */
  keys = 0

  liveTasks(): ModelTask[] {
    return [...this.tasks.values()].filter(({ isDeleted }) => !isDeleted)
  }

  /** Those that a member sees: of the member's hubs, and of field workers only their own. */
  tasksOf(member: Member): ModelTask[] {
    return this.liveTasks().filter(
      ({ hubId, assignee }) =>
        member.hubIds.includes(hubId) && (member.part !== "worker" || assignee.includes(member.email)),
    )
  }

  openTasksOf(member: Member): ModelTask[] {
    return this.tasksOf(member).filter(({ status }) => status !== "DONE")
  }

  liveRecords(): ModelRecord[] {
    return [...this.records.values()].filter(({ isDeleted }) => !isDeleted)
  }

  happened(event: string, taskId: string): void {
    this.events.push({ event, taskId })
  }
}

/** Workers who can be assigned in a hub. */
export function workersIn({ workers }: Company, hubId: string): Member[] {
  return workers.filter(({ hubIds }) => hubIds.includes(hubId))
}
