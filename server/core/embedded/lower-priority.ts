import { writeFile } from "node:fs/promises"
import { setPriority } from "node:os"

/**
 * Of background work, as a nice value: above 0, which requests have, and below 19. At 10 one organization's load made
 * the 99th percentile of another's calls 3.4 to 4.2 times the quiet one, at 16 it was 2.3 to 3.0 times, and the load
 * itself lost a tenth (bench/fairness.ts).
 */
export const backgroundPriority = 16

/**
 * Gives a process of the embedded database the priority of background work. Best effort: without the right to, it keeps its
 * own. Where Linux groups processes by session (`sched_autogroup_enabled`), as it does outside of services and containers,
 * a priority counts within the group only, and each connection is a group: then the group gets it too.
 */
export function lowerPriority(processId: number): void {
  try {
    setPriority(processId, backgroundPriority)
  } catch {
    return
  }
  if (process.platform === "linux")
    writeFile(`/proc/${processId}/autogroup`, String(backgroundPriority)).catch(() => undefined)
}
