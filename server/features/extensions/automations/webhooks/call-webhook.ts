import { createHmac } from "node:crypto"
import type { JobContext } from "#core/jobs/define-job.ts"
import { OutboundError, sendOutbound } from "#core/outbound/outbound-http.ts"
import { currentTrace, type Trace } from "#core/telemetry/trace-context.ts"
import { type OpenAutomation, signingKeys } from "../automation-secrets.ts"

export interface Exchange {
  isSuccess: boolean
  /** 0 without a response. */
  statusCode: number
  url: string
  request: string
  response: string
  responseHeaders: Record<string, unknown> | null
  /** The receiver's Retry-After, at most one hour: no call is made before. */
  notBefore?: Temporal.Instant | undefined
  startedTime: Temporal.Instant
  finishedTime: Temporal.Instant
}

export interface Message {
  event: string
  attempt: number
  messageId: string
  /** The trace to continue; by default the current one. */
  trace?: Trace | undefined
}

/** Limits of a call: longer responses are neither read nor stored. */
export const webhookLimits = { timeoutMilliseconds: 30_000, maxResponseBytes: 64 * 1024 }

/** The body of a delivery: the bare record, or the record in a Standard Webhooks envelope. */
export function bodyOf(
  { details }: OpenAutomation,
  { event, record, createdTime }: { event: string; record: string; createdTime: Temporal.Instant },
): string {
  if (details.format !== "standard") return record
  const timestamp = createdTime.toString({ smallestUnit: "millisecond" })
  return `{"type":${JSON.stringify(event)},"timestamp":"${timestamp}","data":${record}}`
}

/**
 * Posts one body. Any 2xx within 30 seconds is success; redirects are not followed. An endless or very large
 * response is a failure; a private address is refused when connecting.
 */
export async function callWebhook(
  { clock, config, signal }: Pick<JobContext, "clock" | "config"> & { signal?: AbortSignal },
  automation: OpenAutomation,
  body: string,
  message: Message,
): Promise<Exchange> {
  const startedTime = clock.now()
  const url = String(automation.details.url)
  const done = (
    outcome: Pick<Exchange, "isSuccess" | "statusCode" | "response" | "responseHeaders" | "notBefore">,
  ) => ({
    ...outcome,
    url,
    request: body,
    startedTime,
    finishedTime: clock.now(),
  })
  try {
    const reply = await sendOutbound(
      {
        url,
        method: "POST",
        headers: headersOf(automation, body, message, startedTime),
        body,
        timeoutMilliseconds: webhookLimits.timeoutMilliseconds,
        maxBytes: webhookLimits.maxResponseBytes,
        ...(signal ? { signal } : {}),
      },
      config.webhookAllow,
    )
    const isSuccess = reply.statusCode >= 200 && reply.statusCode < 300
    return done({
      isSuccess,
      notBefore: isSuccess ? undefined : readRetryAfter(reply.headers["retry-after"], clock.now()),
      statusCode: reply.statusCode,
      response: reply.body.toString("utf8").toWellFormed().replaceAll("\u0000", "\uFFFD"),
      responseHeaders: { ...reply.headers },
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return done({ isSuccess: false, statusCode: 0, response: error.message, responseHeaders: null })
  }
}

const framingHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
])

/** Configured headers override the built-in ones, except those that frame the message. */
function headersOf(
  automation: OpenAutomation,
  body: string,
  { event, attempt, messageId, trace = currentTrace() }: Message,
  now: Temporal.Instant,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "x-automation-event": event,
    "x-automation-id": automation.id,
    "x-automation-attempt": String(attempt),
    "x-automation-timestamp": String(now.epochMilliseconds),
  }
  if (trace) headers.traceparent = trace.traceparent
  const keys = signingKeys(automation, now)
  if (keys.length > 0) {
    const seconds = Math.floor(now.epochMilliseconds / 1000)
    headers["webhook-id"] = messageId
    headers["webhook-timestamp"] = String(seconds)
    headers["webhook-signature"] = keys.map((key) => sign(key, messageId, seconds, body)).join(" ")
  }
  for (const [name, value] of Object.entries(automation.details.headers ?? {})) {
    const lower = name.toLowerCase()
    if (framingHeaders.has(lower)) continue
    headers[lower] = String(value)
  }
  return headers
}

const longestHoldSeconds = 3600

/** Reads Retry-After in seconds or as an HTTP date. */
export function readRetryAfter(
  header: string | undefined,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.epochMilliseconds) / 1000
  // Not a number: the header is neither form.
  if (!(seconds > 0)) return undefined
  return now.add({ seconds: Math.ceil(Math.min(seconds, longestHoldSeconds)) })
}

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, as Standard Webhooks writes it. */
export function sign(secret: string, messageId: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  return `v1,${createHmac("sha256", key).update(`${messageId}.${seconds}.${body}`).digest("base64")}`
}
