import type { FastifyBaseLogger } from "fastify"
import { multistream, pino } from "pino"

export type Log = FastifyBaseLogger

/**
 * JSON lines on standard output, and where else they are sent: constant message, stable fields, no secrets, no positions of
 * people.
 */
export function createLog(level: string, sent?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ["password", "token", "authorization", "cookie", "*.password", "*.token"], censor: "…" },
  }
  if (!sent) return pino(options)
  // The logger's level decides for both.
  const streams = [pino.destination(1), sent].map((stream) => ({ stream, level: "trace" as const }))
  return pino(options, multistream(streams))
}
