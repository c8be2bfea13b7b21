import type { Caller } from "../access/caller.ts"
import { AppError } from "../errors.ts"

/** Event streams open on this node, by person and by organization. */
export interface StreamCounts {
  /** Counts one more; returns what ends it, which may be called twice. @throws 429 at a limit */
  open(caller: Caller): () => void
}

export function createStreamCounts(limits: { perUser: number; perOrganization: number }): StreamCounts {
  const counts = new Map<string, number>()
  const isFull = (key: string, limit: number) => limit > 0 && (counts.get(key) ?? 0) >= limit
  const change = (key: string, by: 1 | -1) => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  return {
    open({ organizationId, userId }) {
      const keys = [`user ${organizationId} ${userId}`, `organization ${organizationId}`] as const
      if (isFull(keys[0], limits.perUser)) throw tooMany(limits.perUser, "a person")
      if (isFull(keys[1], limits.perOrganization)) throw tooMany(limits.perOrganization, "an organization")
      for (const key of keys) change(key, 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        for (const key of keys) change(key, -1)
      }
    },
  }
}

function tooMany(limit: number, whose: string): AppError {
  const message = `Too many event streams. The limit for ${whose} is ${limit} open streams. Close one, then retry.`
  return new AppError(429, "sys-036", message, { headers: { "retry-after": "5" } })
}
