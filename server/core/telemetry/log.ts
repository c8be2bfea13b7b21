import type { FastifyBaseLogger } from "fastify"
import { pino } from "pino"

export type Log = FastifyBaseLogger

/** JSON lines on standard output: constant message, stable fields, no secrets, no positions of people. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ["password", "token", "authorization", "cookie", "*.password", "*.token"], censor: "…" },
  })
}
