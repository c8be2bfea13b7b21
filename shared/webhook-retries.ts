/**
 * Seconds before each retry of a failed delivery, by the webhook's `retry`, in the order in which the console offers
 * them.
 */
export const webhookRetries = {
  exponential: [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800],
  steady: [120, 120, 120],
} as const satisfies Record<string, readonly number[]>
export type WebhookRetry = keyof typeof webhookRetries

// Object.keys returns strings; the table has no other keys.
export const webhookRetryNames = Object.keys(webhookRetries) as readonly WebhookRetry[]

/** Webhooks without a known value are retried steadily. */
export function retryOf(value: unknown): WebhookRetry {
  return webhookRetryNames.find((name) => name === value) ?? "steady"
}
