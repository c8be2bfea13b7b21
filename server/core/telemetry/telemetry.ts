import type { Config } from "../config.ts"
import { createLogExport, toLogRecord } from "./export-logs.ts"
import { exportMetrics } from "./export-metrics.ts"
import { createLog, type Log } from "./log.ts"
import type { Metrics } from "./metrics.ts"
import { createOtlp, type Signal } from "./otlp.ts"
import { createTracing, type Span } from "./tracing.ts"

export interface Telemetry {
  log: Log
  recordSpan(span: Span): void
  /** Sends the metrics from now on, if they are to be sent, until the returned function is called. */
  exportMetrics(metrics: Metrics): () => Promise<void>
  /** Sends what is left. */
  close(): Promise<void>
}

const nothing = async () => undefined

/** The log of a process or thread, and what goes to a collector where one is configured. */
export function createTelemetry({ logLevel, otlp: settings }: Config, version: string): Telemetry {
  if (!settings)
    return {
      log: createLog(logLevel),
      recordSpan: () => undefined,
      exportMetrics: () => nothing,
      close: nothing,
    }
  // What sending itself logs goes to standard output only, or failures to send would cause more to send.
  const otlp = createOtlp(settings, version, createLog(logLevel))
  const isSent = (signal: Signal) => settings.signals.includes(signal)
  const logs = isSent("logs") ? createLogExport(otlp) : undefined
  const spans = isSent("traces") ? createTracing(otlp) : undefined
  return {
    log: createLog(logLevel, logs && { write: (line) => logs.add(toLogRecord(line)) }),
    recordSpan: (span) => spans?.add(span),
    exportMetrics: ({ registry }) =>
      isSent("metrics") ? exportMetrics(registry, otlp, settings.metricMilliseconds) : nothing,
    async close() {
      await Promise.all([spans?.close(), logs?.close()])
    },
  }
}
