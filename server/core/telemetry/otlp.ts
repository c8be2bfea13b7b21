import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import type { Log } from "./log.ts"

export type Signal = "traces" | "metrics" | "logs"

export interface OtlpSettings {
  /** Base address of the collector; each signal has its path below it. */
  url: string
  /** Sent with every request, such as a key. */
  headers: Readonly<Record<string, string>>
  signals: readonly Signal[]
  metricMilliseconds: number
}

/** Where telemetry goes: an OpenTelemetry collector, by OTLP over HTTP in JSON. */
export interface Otlp {
  /** Resolves once the collector has it, or once it is dropped: nobody waits for a collector that is away. */
  send(signal: Signal, scope: object): Promise<void>
}

const maxSendMilliseconds = 5_000

/** Written here because the official packages would outweigh the server's other dependencies together. */
export function createOtlp(settings: OtlpSettings, version: string, log: Log): Otlp {
  const base = trimEndOf(settings.url, "/")
  const resource = {
    attributes: toAttributes({
      "service.name": "fieldway",
      "service.version": version,
      "service.instance.id": randomUUID(),
      "host.name": hostname(),
    }),
  }
  const headers = { ...settings.headers, "content-type": "application/json" }
  return {
    async send(signal, scope) {
      const kind = { traces: "Spans", metrics: "Metrics", logs: "Logs" }[signal]
      const scoped = { scope: { name: "fieldway" }, ...scope }
      try {
        const reply = await fetch(`${base}/v1/${signal}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ [`resource${kind}`]: [{ resource, [`scope${kind}`]: [scoped] }] }),
          signal: AbortSignal.timeout(maxSendMilliseconds),
        })
        if (!reply.ok) throw new Error(`the collector returned status ${reply.status}`)
        await reply.arrayBuffer()
      } catch (error) {
        log.debug({ signal, reason: String(error) }, "telemetry was dropped")
      }
    },
  }
}

export interface Batch<Entry> {
  add(entry: Entry): void
  /** Sends what is left. */
  close(): Promise<void>
}

const flushMilliseconds = 2_000
const maxWaiting = 2_000

/** Collects entries and sends them every two seconds; those beyond the limit are dropped. */
export function createBatch<Entry>(send: (entries: readonly Entry[]) => Promise<void>): Batch<Entry> {
  let waiting: Entry[] = []
  const flush = async () => {
    const entries = waiting
    waiting = []
    if (entries.length > 0) await send(entries)
  }
  const timer = setInterval(() => void flush(), flushMilliseconds)
  timer.unref()
  return {
    add(entry) {
      if (waiting.length < maxWaiting) waiting.push(entry)
    },
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

export function toAttributes(values: Readonly<Record<string, unknown>>) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: toValue(value) }],
  )
}

function toValue(value: unknown) {
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { stringValue: typeof value === "string" ? value : JSON.stringify(value) }
}

export function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
}
