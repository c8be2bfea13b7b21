/** Queries of whole resources that an event makes stale. It names its resource before the dot: `task.finished`. */
const keysOfResource: Readonly<Record<string, readonly string[]>> = {
  task: ["tasks", "task"],
  hub: ["hubs", "users", "own-user"],
  user: ["users", "own-user", "positions"],
  role: ["roles", "own-user"],
  team: ["teams"],
  flow: ["flows", "flow"],
  import: ["imports", "readings"],
  export: ["exports"],
  vehicle: ["vehicles"],
  "capacity-constraint": ["capacity-constraints"],
  dataType: ["data-types"],
  data: ["data-records"],
  plugin: ["plugins"],
  schedule: ["schedules"],
  workflow: ["automations"],
  trip: ["positions", "track"],
  person: ["positions", "silent-people"],
  message: ["messages", "conversations"],
  notice: ["notices"],
  place: ["track", "visits"],
  geofence: ["geofences"],
  alert: ["alerts", "alert-rules"],
  customer: ["customer-feedback", "request-forms", "task-requests"],
}

interface LiveEvent {
  type: string
  content: Record<string, unknown>
}

/**
 * Which of the console's queries an event makes stale, by the beginnings of their keys; the empty beginning is that
 * of all. Positions are not among them: their consumers take them from the events.
 */
export function queryKeysOf({ type, content }: LiveEvent): readonly string[][] {
  // More happened than the stream replays.
  if (type === "stream.overflow") return [[]]
  const resource = type.slice(0, type.indexOf("."))
  if (resource === "routing") return type === "routing.settings" ? [["routing-settings"]] : routesIn(content)
  return (keysOfResource[resource] ?? []).map((key) => [key])
}

/** The list and the plans that changed: a run reports its progress every second, and other open plans stay as they are. */
function routesIn({ resultIds, resultId }: LiveEvent["content"]): string[][] {
  const ids = Array.isArray(resultIds) ? resultIds.map(String) : resultId ? [String(resultId)] : []
  return [["routing-results"], ...ids.map((id) => ["routing-result", id])]
}
