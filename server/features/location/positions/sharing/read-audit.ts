import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Sql } from "#core/database/database.ts"

const quietMilliseconds = 10 * 60_000
const maxCached = 10_000

/**
 * Writes down who looked at whose past positions. Looking again within ten minutes adds nothing to what is
 * known, and a page that refreshes would bury the rest. Where people are now is not their past.
 */
export function createReadAudit() {
  const lastAudited = new Map<string, number>()
  return async (
    sql: Sql,
    caller: Caller,
    address: string,
    whom: { userId: string | null; email: string | null; how: string },
  ): Promise<void> => {
    if (whom.email === caller.email) return
    const key = `${caller.userId} ${caller.organizationId} ${whom.email ?? "*"} ${whom.how}`
    const now = performance.now()
    const before = lastAudited.get(key)
    if (before !== undefined && now - before < quietMilliseconds) return
    if (lastAudited.size >= maxCached) lastAudited.clear()
    lastAudited.set(key, now)
    await audit(sql, actorOf(caller, address), {
      action: "location.read",
      targetType: "user",
      targetId: whom.userId,
      targetName: whom.email ?? "everybody in sight",
      after: { how: whom.how },
    })
  }
}
export type ReadAudit = ReturnType<typeof createReadAudit>
