import { setTimeout as pause } from "node:timers/promises"
import type { App } from "../types.ts"

/** Where a stopping process stands. */
export interface Readiness {
  isDraining: boolean
  /** When the last request came while draining, by `performance.now()`. */
  lastRequestAt?: number
}

/**
 * While the process stops, every response closes its connection: a client that keeps connections open opens its next
 * one elsewhere, instead of sending a request on one that is being closed.
 */
export function closeConnectionsWhileDraining(app: App, readiness: Readiness): void {
  app.addHook("onRequest", (_request, _reply, done) => {
    if (readiness.isDraining) readiness.lastRequestAt = performance.now()
    done()
  })
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (readiness.isDraining) reply.header("connection", "close")
    done(null, payload)
  })
}

const quietMilliseconds = 250
const longestMilliseconds = 3000

/** Goes on serving for the given time, and then until no request has come for a moment. */
export async function drain(readiness: Readiness, seconds: number): Promise<void> {
  readiness.isDraining = true
  await pause(seconds * 1000)
  const since = performance.now()
  while (performance.now() - since < longestMilliseconds) {
    const quietFor = performance.now() - Math.max(since, readiness.lastRequestAt ?? 0)
    if (quietFor >= quietMilliseconds) return
    await pause(quietMilliseconds - quietFor)
  }
}
