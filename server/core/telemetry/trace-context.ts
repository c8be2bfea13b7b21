import { AsyncLocalStorage } from "node:async_hooks"
import type { Origin } from "../audit-trail/origin.ts"
import { randomHex } from "../ids.ts"

/**
 * What caused the current work: the request, also while its jobs run and its webhooks are sent. `traceparent` is the
 * W3C header for the next call; it names the span of the request.
 */
export interface Trace {
  traceparent: string
  /** The id that the caller got as `x-request-id`; null for work that no request caused. */
  requestId: string | null
  /** Who acts, for the audit trail. */
  origin?: Origin
}

export interface TraceIds {
  traceId: string
  spanId: string
}

const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const storage = new AsyncLocalStorage<Trace>()

/** Continues the trace of a caller that sent a valid `traceparent`, else begins one. */
export function beginTrace(requestId: string | null, callersTraceparent?: string): Trace {
  const [, traceId, , flags = "01"] = traceparentPattern.exec(callersTraceparent ?? "") ?? []
  return { traceparent: `00-${traceId ?? randomHex(16)}-${randomHex(8)}-${flags}`, requestId }
}

/** Trace and span of a `traceparent`; undefined for anything else. */
export function readTraceparent(traceparent: string | undefined): TraceIds | undefined {
  const [, traceId, spanId] = traceparentPattern.exec(traceparent ?? "") ?? []
  return traceId && spanId ? { traceId, spanId } : undefined
}

/** Everything that `work` starts, however long it takes, belongs to the trace. */
export function runInTrace<Result>(trace: Trace, work: () => Result): Result {
  return storage.run(trace, work)
}

/** The trace of the current work. */
export function currentTrace(): Trace | undefined {
  return storage.getStore()
}
