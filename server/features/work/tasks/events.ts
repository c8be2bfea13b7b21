import type { Tx } from "#core/database/database.ts"
import { emit, type StoredEventName } from "#core/domain-events.ts"
import type { EventKind } from "#core/events/live-events.ts"
import { defineEvent, type LiveEvents, publish } from "#core/events/live-events.ts"
import { type TaskRow, toWireTask } from "./wire.ts"

/** Content of each: `taskIds`, at most a thousand; a consumer reads the tasks that it shows. */
export const taskCreated = defineEvent("task.created", "view/task")
export const taskAssigned = defineEvent("task.assigned", "view/task")
export const taskUpdated = defineEvent("task.updated", "view/task")
export const taskFinished = defineEvent("task.finished", "view/task")
export const taskMoved = defineEvent("task.moved", "view/task")
export const taskDeleted = defineEvent("task.deleted", "view/task")

const maxIds = 1000

/** One event per hub for all tasks of one statement, so that a bulk of thousands is a handful of messages. */
export async function publishTasks(
  tx: Tx,
  live: LiveEvents,
  kind: EventKind,
  tasks: readonly Pick<TaskRow, "organizationId" | "id" | "hubId" | "assignee">[],
): Promise<void> {
  const byHub = Map.groupBy(tasks, (task) => task.hubId)
  for (const [hubId, group] of byHub) {
    for (let start = 0; start < group.length; start += maxIds) {
      const part = group.slice(start, start + maxIds)
      const organizationId = part[0]?.organizationId
      if (!organizationId) continue
      const emails = [...new Set(part.flatMap((task) => task.assignee))]
      await publish(tx, live, kind, {
        organizationId,
        hubId,
        emails,
        content: { taskIds: part.map((task) => task.id) },
      })
    }
  }
}

/** Tells automations, webhooks and the feed, with the tasks as they are now. All are of one organization. */
export async function emitTasks(tx: Tx, event: StoredEventName, tasks: readonly TaskRow[]): Promise<void> {
  const organizationId = tasks[0]?.organizationId
  if (!organizationId) return
  const events = tasks.map((task) => {
    const record = toWireTask(task)
    // No caller is there whose right to delete the hub could be told.
    return {
      referenceId: task.id,
      hubId: task.hubId,
      record: { ...record, hub: record.hub && { ...record.hub, deleteAccess: false } },
    }
  })
  await emit(tx, organizationId, event, events)
}
