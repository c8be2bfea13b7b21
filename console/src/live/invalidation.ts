import type { LiveEvent } from "./live-stream.ts"

/** Queries of whole resources that an event makes stale. It names its resource before the dot: `task.finished`. */
const keysOfResource: Readonly<Record<string, readonly string[]>> = {
  task: ["tasks", "task"],
  hub: ["hubs"],
  user: ["users", "own-user", "positions"],
  role: ["roles", "own-user"],
  team: ["teams"],
  flow: ["flows", "flow"],
  import: ["imports"],
  export: ["exports"],
  vehicle: ["vehicles"],
  "capacity-constraint": ["capacity-constraints"],
  "data-type": ["data-types"],
  data: ["data-records"],
  plugin: ["plugins"],
  schedule: ["schedules"],
  "task-schedule": ["schedules"],
}

/** Which of the console's queries an event makes stale, by the beginnings of their keys. */
export function queryKeysOf({ type, content }: Pick<LiveEvent, "type" | "content">): readonly string[][] {
  const resource = type.slice(0, type.indexOf("."))
  if (resource === "routing") return type === "routing.settings" ? [["routing-settings"]] : routesIn(content)
  return (keysOfResource[resource] ?? []).map((key) => [key])
}

/** The list and the plans that changed: a run tells its progress every second, and other open plans stay as they are. */
function routesIn({ resultIds, resultId }: LiveEvent["content"]): string[][] {
  const ids = Array.isArray(resultIds) ? resultIds.map(String) : resultId ? [String(resultId)] : []
  return [["routing-results"], ...ids.map((id) => ["routing-result", id])]
}
