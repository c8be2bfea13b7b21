import { inTransaction, type Pool } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { parseSchedule } from "#packages/recurrence/parse.ts"
import { saveSchedule } from "../features/work/task-schedules/index.ts"
import { aFlow, aHub, type Organization, type Person } from "./builders.ts"

export interface ScheduleOptions {
  org: Organization
  hub?: { id: Id<"hub"> }
  flow?: { id: Id<"flow">; name: string }
  name?: string
  task?: Record<string, unknown>
  assignee?: readonly Person[]
  /** As on the wire: periode, schedules, startTime and so on. Default: daily at 06:30 for a century. */
  recurrence?: Record<string, unknown>
  /** Runs after it are owed. Default: now by the real clock. */
  handledUntil?: Temporal.Instant
  nextRunAt?: Temporal.Instant
}

const daily = {
  periode: "daily",
  startTime: "2000-01-01",
  endTime: "2099-12-31",
  schedules: [{ time: "06:30" }],
}

/** A schedule as if it had been made before the test. It is due at `nextRunAt`; without that it never is. */
export async function aSchedule(sql: Pool, options: ScheduleOptions): Promise<{ id: Id<"schedule"> }> {
  const parsed = parseSchedule(options.recurrence ?? daily)
  if (!parsed.ok) throw new Error(parsed.problems[0].message)
  const [hub, flow] = [
    options.hub ?? (await aHub(sql, options)),
    options.flow ?? (await aFlow(sql, { org: options.org })),
  ]
  const id = newId<"schedule">()
  const now = options.handledUntil ?? Temporal.Now.instant()
  await inTransaction(sql, (tx) =>
    saveSchedule(tx, {
      id,
      organizationId: options.org.id,
      hubId: hub.id,
      flowId: flow.id,
      flow: flow.name,
      name: options.name ?? "Round",
      recurrence: parsed.schedule,
      skippedDates: [],
      task: options.task ?? { siteName: "Pump house" },
      assignee: (options.assignee ?? []).map((person) => person.email),
      createdBy: options.org.owner.email,
      updatedBy: null,
      createdTime: now,
      updatedTime: now,
      version: 1,
      pausedTime: null,
      handledUntil: now,
      nextRunAt: options.nextRunAt ?? null,
      lastStatus: null,
      lastTaskId: null,
      lastMessage: null,
      lastExecutedTime: null,
      executionCount: 0,
      failedCount: 0,
    }),
  )
  return { id }
}
