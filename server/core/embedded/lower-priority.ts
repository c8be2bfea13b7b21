import { writeFile } from "node:fs/promises"
import { constants, setPriority } from "node:os"

/**
 * Gives a process of the embedded database the priority of background work. Best effort: without the right to, it keeps its
 * own. Where Linux groups processes by session (`sched_autogroup_enabled`), as it does outside of services and containers,
 * a priority counts within the group only, and each connection is a group: then the group gets it too.
 */
export function lowerPriority(processId: number): void {
  const priority = constants.priority.PRIORITY_BELOW_NORMAL
  try {
    setPriority(processId, priority)
  } catch {
    return
  }
  if (process.platform === "linux")
    writeFile(`/proc/${processId}/autogroup`, String(priority)).catch(() => undefined)
}
