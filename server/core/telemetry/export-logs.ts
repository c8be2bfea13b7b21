import { type Batch, createBatch, nanoseconds, type Otlp, toAttributes } from "./otlp.ts"
import { currentTrace, readTraceparent } from "./trace-context.ts"

/** OTLP's SeverityNumber of each level. */
const severities: Readonly<Record<string, number>> = {
  trace: 1,
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
}

/** Sends lines of the log. */
export function createLogExport(otlp: Otlp): Batch<object> {
  return createBatch((logRecords) => otlp.send("logs", { logRecords }))
}

/** A line as it goes to standard output, with the trace in which it is written. */
export function toLogRecord(line: string) {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const timeUnixNano = nanoseconds(Date.parse(String(time)))
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: severities[String(level)] ?? 0,
    severityText: String(level).toUpperCase(),
    body: { stringValue: String(msg ?? "") },
    attributes: toAttributes(fields),
    ...readTraceparent(currentTrace()?.traceparent),
  }
}
