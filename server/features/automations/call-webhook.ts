import { createHmac } from "node:crypto"
import type { JobContext } from "#core/jobs/define-job.ts"
import { OutboundError, sendOutbound } from "#core/outbound-http.ts"
import type { OpenAutomation } from "./automation-secrets.ts"

export interface Exchange {
  isSuccess: boolean
  /** 0 when nothing answered. */
  statusCode: number
  url: string
  request: string
  response: string
  responseHeaders: Record<string, unknown> | null
  startedTime: Temporal.Instant
  finishedTime: Temporal.Instant
}

/** How long an endpoint may take, and how much it may answer: more is neither read nor kept. */
export const webhookLimits = { answerMilliseconds: 30_000, answerBytes: 64 * 1024 }

/**
 * Posts one record. Exactly 200 within 30 seconds is success; redirects are not followed. An endless or huge
 * answer counts by its failure to end, a private address is refused where the connection is made.
 */
export async function callWebhook(
  { clock, config, signal }: Pick<JobContext, "clock" | "config"> & { signal?: AbortSignal },
  automation: OpenAutomation,
  body: string,
  message: { event: string; attempt: number; messageId: string },
): Promise<Exchange> {
  const startedTime = clock.now()
  const url = String(automation.details.url)
  const done = (outcome: Pick<Exchange, "isSuccess" | "statusCode" | "response" | "responseHeaders">) => ({
    ...outcome,
    url,
    request: body,
    startedTime,
    finishedTime: clock.now(),
  })
  try {
    const answer = await sendOutbound(
      {
        url,
        method: "POST",
        headers: headersOf(automation, body, message, startedTime),
        body,
        timeoutMilliseconds: webhookLimits.answerMilliseconds,
        maxBytes: webhookLimits.answerBytes,
        ...(signal ? { signal } : {}),
      },
      config.webhookAllow,
    )
    return done({
      isSuccess: answer.statusCode === 200,
      statusCode: answer.statusCode,
      response: answer.body.toString("utf8").toWellFormed().replaceAll("\u0000", "\uFFFD"),
      responseHeaders: { ...answer.headers },
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

/** The configured headers win over ours, but for those that describe the message itself. */
function headersOf(
  automation: OpenAutomation,
  body: string,
  { event, attempt, messageId }: { event: string; attempt: number; messageId: string },
  now: Temporal.Instant,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "x-automation-event": event,
    "x-automation-id": automation.id,
    "x-automation-attempt": String(attempt),
    "x-automation-timestamp": String(now.epochMilliseconds),
  }
  if (automation.signingSecret) {
    const seconds = Math.floor(now.epochMilliseconds / 1000)
    headers["webhook-id"] = messageId
    headers["webhook-timestamp"] = String(seconds)
    headers["webhook-signature"] = sign(automation.signingSecret, messageId, seconds, body)
  }
  for (const [name, value] of Object.entries(automation.details.headers ?? {})) {
    const lower = name.toLowerCase()
    if (framingHeaders.has(lower)) continue
    headers[lower] = String(value)
  }
  return headers
}

/** `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, as Standard Webhooks writes it. */
export function sign(secret: string, messageId: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  return `v1,${createHmac("sha256", key).update(`${messageId}.${seconds}.${body}`).digest("base64")}`
}
