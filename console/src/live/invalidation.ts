/**
 * Which of the console's queries an event makes stale, by the first part of their keys. An event names its
 * resource before the dot: `task.finished`, `hub.changed`.
 */
const keysOfResource: Readonly<Record<string, readonly string[]>> = {
  task: ["tasks", "task"],
  hub: ["hubs"],
  user: ["users", "own-user"],
  role: ["roles", "own-user"],
  team: ["teams"],
  flow: ["flows", "flow"],
  import: ["imports"],
  export: ["exports"],
  vehicle: ["vehicles"],
  routing: ["routing-results", "routing-result"],
  "capacity-constraint": ["capacity-constraints"],
  "data-type": ["data-types"],
  data: ["data-records"],
  plugin: ["plugins"],
  schedule: ["schedules"],
  "task-schedule": ["schedules"],
}

export function queryKeysOf(eventType: string): readonly string[] {
  const resource = eventType.slice(0, eventType.indexOf("."))
  return keysOfResource[resource] ?? []
}
