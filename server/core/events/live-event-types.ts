import type { Permission } from "../permissions.ts"

/**
 * Every kind of live event with the permission that receives it; null: every member does; `owner`: only the member whom it
 * is about.
 */
export const liveEventTypes = {
  /** More events occurred than a stream replays: the client reloads what it shows. Content: empty. */
  "stream.overflow": null,
  /** Of tasks, the content is `taskIds`, at most a thousand; a consumer reads the tasks that it shows. */
  "task.created": "view/task",
  "task.assigned": "view/task",
  "task.updated": "view/task",
  "task.finished": "view/task",
  "task.moved": "view/task",
  "task.deleted": "view/task",
  /** Expected arrivals changed. Content: `taskIds`. */
  "task.estimated": "view/task",
  /** Created, changed, paused, resumed or deleted. Content: `scheduleIds`. */
  "schedule.changed": "view/schedule",
  /** Schedules ran; their log has the result. Content: `scheduleIds`, at most a thousand. */
  "schedule.executed": "view/schedule",
  /** Of records: `dataTypeId` and `recordIds`, at most a thousand. */
  "data.created": "view/data",
  "data.updated": "view/data",
  "data.deleted": "view/data",
  /** `….changed`: created, changed or deleted. Content: `dataTypeId`. */
  "dataType.changed": null,
  /** Also reordered. Content: `flowId`. */
  "flow.changed": null,
  /** Content: `workflowId`. */
  "workflow.changed": "view/workflow",
  /** Content: `vehicleIds`, at most a thousand. */
  "vehicle.changed": "view/vehicle",
  /** The names or units of what vehicles carry. Content: `capacityConstraintId`. */
  "capacity-constraint.changed": "view/configuration",
  /** Results were created, planned, changed, dispatched or deleted. Content: `resultIds`. */
  "routing.changed": "view/result",
  /** Content: `resultId`, `share` from 0 to 1, and of the best plan so far `dropped`, `vehicles`, `distance` in metres. */
  "routing.progress": "view/result",
  /** Profiles or areas of a hub. Content: `hubId`. */
  "routing.settings": "view/configuration",
  /** Content: see `MovedContent`. Read from the newest positions, never written to the event table. */
  "position.moved": "view/tracking",
  /** A session began or ended. Content: `locationHistoryId`, `userId`. */
  "trip.started": "view/tracking",
  "trip.finished": "view/tracking",
  /** A person came to, or left, a hub, a geofence or a task's place. Content: `userId`, `placeType`, `placeId`, `time`. */
  "place.arrived": "view/tracking",
  "place.left": "view/tracking",
  /** Late points showed that a published arrival did not happen. Content as above. */
  "place.withdrawn": "view/tracking",
  /** Alerts began, ended or were acknowledged, or their rule changed. Content: `alertId`, or empty. */
  "alert.changed": "view/tracking",
  /** Geofences were created, changed, imported or deleted. Content: empty. */
  "geofence.changed": "view/tracking",
  /** A person at work no longer sends positions, or sends them again. Content: `userId`. */
  "person.silent": "view/tracking",
  "person.heard": "view/tracking",
  /** A customer rated a task or replied to a message. Content: `feedbackId`, `taskId`, `kind`, `stars`. */
  "customer.feedback": "view/task",
  /** A request came in on a form, or was decided. Content: `requestId`, `formId`, `status`. */
  "customer.request": "add/task",
  /** Content: `hubId`. */
  "hub.changed": "view/hub",
  /** Every member may have it. Content: `roleId`. */
  "role.changed": null,
  /** Content: `teamId`. */
  "team.changed": "view/team",
  /** Also invited. Content: `userId`. */
  "user.created": "view/user",
  /** Name, contact, picture, role, hubs, teams or status changed, or a lock ended. Content: `userId`. */
  "user.updated": "view/user",
  /** A person is no longer a member. Content: `userId`. */
  "user.deleted": "view/user",
  /** Installed, changed, switched off or deleted: clients that run plugins request them again. Content: `pluginId`. */
  "plugin.changed": null,
  /** Content: `exportId`, `status`. Reaches the person who requested it. */
  "export.finished": null,
  /** Content: `importId`, `status`, `totalRows`, `totalValid`, `totalInvalid`. */
  "import.progress": "import/data",
  /** A list that is read from another system has ended. Content: `readingId`, `status`. Reaches the person who started it. */
  "import.reading": null,
  /** Sent, or read by somebody. Content: `taskId`. */
  "message.task": "view/task",
  /** The same with a person, for that person and the planners of their hubs. Content: `userId`. */
  "message.person": "assign/task",
  /** The same about a data record. Content: `recordId`. */
  "message.record": "view/data",
  /** The same about a planned route. Content: `resultId`. */
  "message.route": "view/result",
  /** Something was added to the person's inbox. Content: empty. */
  "notice.created": "owner",
} as const satisfies Record<string, Permission | "owner" | null>

export type LiveEventType = keyof typeof liveEventTypes

/** Who receives events of this type; null for every member, undefined for an unknown type. */
export function permissionOfEvent(type: string): Permission | "owner" | null | undefined {
  return (liveEventTypes as Record<string, Permission | "owner" | null>)[type]
}
