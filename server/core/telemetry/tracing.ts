import { randomBytes } from "node:crypto"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import type { Log } from "./log.ts"
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

export interface Tracing {
  record(span: Span): void
  /** Sends what is left. */
  close(): Promise<void>
}

const flushMilliseconds = 2_000
const maxWaiting = 2_000

/** Switched off: costs nothing. */
export const noTracing: Tracing = { record: () => undefined, close: async () => undefined }

/**
 * Spans of requests and jobs to an OpenTelemetry collector, as OTLP over HTTP in JSON. Written here because the
 * official packages would be more than the rest of the server's dependencies together, for two kinds of spans.
 * While the collector is away spans are dropped: nobody waits for it.
 */
export function createTracing(endpoint: string, version: string, log: Log): Tracing {
  let waiting: Span[] = []
  let dropped = 0
  const flush = async () => {
    if (waiting.length === 0) return
    const spans = waiting
    waiting = []
    try {
      const reply = await fetch(`${trimEndOf(endpoint, "/")}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(toOtlp(spans, version)),
        signal: AbortSignal.timeout(5_000),
      })
      if (!reply.ok) throw new Error(`the collector returned status ${reply.status}`)
      await reply.arrayBuffer()
    } catch (error) {
      dropped += spans.length
      log.debug({ reason: String(error), dropped }, "traces were dropped")
    }
  }
  const timer = setInterval(() => void flush(), flushMilliseconds)
  timer.unref()
  return {
    record(span) {
      if (waiting.length < maxWaiting) waiting.push(span)
      else dropped += 1
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function toOtlp(spans: readonly Span[], version: string) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes({ "service.name": "fieldway", "service.version": version }) },
        scopeSpans: [{ scope: { name: "fieldway" }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  }
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

function toAttributes(attributes: Span["attributes"]) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [
          {
            key,
            value:
              typeof value === "number" ? { intValue: String(Math.round(value)) } : { stringValue: value },
          },
        ],
  )
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
}
