import { randomBytes } from "node:crypto"
import { type Batch, createBatch, nanoseconds, type Otlp, toAttributes } from "./otlp.ts"
import { readTraceparent } from "./trace-context.ts"

export interface Span {
  name: string
  /** 2: an incoming request, 5: a job. Numbers of OTLP's SpanKind. */
  kind: 2 | 5
  startedAt: number
  milliseconds: number
  attributes: Record<string, string | number | undefined>
  isFailed: boolean
  /** The `traceparent` (W3C Trace Context) of the cause, if there is one. */
  parent: string | undefined
  /** The span itself, where others already know it as their parent: its own `traceparent`. */
  own?: string | undefined
}

/** Sends spans of requests and jobs. */
export function createTracing(otlp: Otlp): Batch<Span> {
  return createBatch((spans) => otlp.send("traces", { spans: spans.map(toOtlpSpan) }))
}

function toOtlpSpan(span: Span) {
  const [own, parent] = [readTraceparent(span.own), readTraceparent(span.parent)]
  return {
    traceId: own?.traceId ?? parent?.traceId ?? randomBytes(16).toString("hex"),
    spanId: own?.spanId ?? randomBytes(8).toString("hex"),
    ...(parent ? { parentSpanId: parent.spanId } : {}),
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.startedAt + span.milliseconds),
    attributes: toAttributes(span.attributes),
    status: { code: span.isFailed ? 2 : 0 },
  }
}
