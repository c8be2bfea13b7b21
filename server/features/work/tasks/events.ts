import type { Tx } from "#core/database/database.ts"
import { emit, type StoredEventName } from "#core/domain-events.ts"
import type { LiveEventType } from "#core/events/live-event-types.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publishAll } from "#core/events/publish.ts"
import { relatedColumns, taskColumns } from "./queries.ts"
import { type TaskRow, toWireTask, withTaskKeys } from "./wire.ts"

const maxIds = 1000

/**
 * One event for all tasks of one statement in the same hub and with the same people: a bulk of thousands is few messages, and
 * nobody receives ids of tasks that they do not see.
 */
export async function publishTasks(
  tx: Tx,
  live: LiveEvents,
  kind: LiveEventType,
  tasks: readonly Pick<TaskRow, "organizationId" | "id" | "hubId" | "assignee">[],
): Promise<void> {
  const groups = Map.groupBy(tasks, ({ hubId, assignee }) => [hubId, ...[...assignee].sort()].join(" "))
  const announcements = [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { organizationId, hubId, assignee: emails } = first
    // A task is listed before and after its change.
    const ids = [...new Set([first, ...others].map(({ id }) => id))]
    return Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, part) => ({
      ...{ organizationId, hubId, emails },
      content: { taskIds: ids.slice(part * maxIds, (part + 1) * maxIds) },
    }))
  })
  await publishAll(tx, live, kind, announcements)
}

/** Publishes to automations, webhooks and the feed, with the tasks as they are now. All are of one organization. */
export async function emitTasks(
  tx: Tx,
  live: LiveEvents,
  event: StoredEventName,
  tasks: readonly TaskRow[],
  added: ReadonlyMap<string, object> = new Map(),
): Promise<void> {
  const organizationId = tasks[0]?.organizationId
  if (!organizationId) return
  const events = tasks.map((task) => {
    const record = toWireTask(task)
    // There is no caller whose permission to delete the hub could be checked.
    return {
      referenceId: task.id,
      hubId: task.hubId,
      record: {
        ...record,
        ...withTaskKeys(task, added.get(task.id)),
        hub: record.hub && { ...record.hub, deleteAccess: false },
      },
    }
  })
  await emit(tx, live, organizationId, event, events)
}

/** The same for what another feature noticed of tasks, with the fields that it adds to each. */
export async function emitOfTasks(
  tx: Tx,
  live: LiveEvents,
  event: StoredEventName,
  organizationId: string,
  added: ReadonlyMap<string, object>,
): Promise<void> {
  if (added.size === 0) return
  const tasks = await tx<TaskRow[]>`
    select ${taskColumns(tx)}, ${relatedColumns(tx)} from tasks
    where organization_id = ${organizationId} and id = any (${[...added.keys()]})`
  await emitTasks(tx, live, event, tasks, added)
}
