import { Type } from "typebox"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { OutboundError, sendOutbound } from "#core/outbound/outbound-http.ts"
import { pushRequest } from "#packages/web-push/web-push.ts"
import { pushKeys } from "./push-keys.ts"
import type { SubscriptionRow } from "./queries.ts"
import type { NoticeKind } from "./schemas.ts"

const timeoutMilliseconds = 15_000
const maxBytes = 65_536
const keptSeconds = 86_400
/** The push service no longer knows the subscription, or never accepts it from this installation. */
const goneCodes = new Set([400, 401, 403, 404, 410])

/**
 * Says in one push message how many notices of each kind a person has not read: no names, places or texts, since it passes
 * through the browser maker's servers and shows on a locked screen. If all are about one task, its id says which page a tap
 * opens. A subscription that is gone is removed.
 */
export const sendPush = defineJob({
  name: "notice.push",
  payload: Type.Object({ organizationId: Type.String(), subscriptionId: Type.String() }),
  maxAttempts: 6,
  timeoutSeconds: 60,
  async handle(context, { organizationId, subscriptionId }) {
    const { sql } = context
    const [subscription] = await sql<
      (SubscriptionRow & { kinds: Partial<Record<NoticeKind, number>> | null; taskId: string | null })[]
    >`
      select id, endpoint, p256dh, auth, language, kinds, task_id
      from push_subscriptions s cross join lateral (
        select json_object_agg(kind, count) as kinds,
          case when min(task_id) = max(task_id) and sum(apart) = 0 then min(task_id) end as task_id
        from (
          select kind, sum(count)::int as count, min(task_id) as task_id,
            count(*) filter (where task_id is null or kind = 'taskCancelled') + count(distinct task_id) - 1 as apart
          from notices
          where organization_id = s.organization_id and user_id = s.user_id and read_time is null group by kind) unread
      ) as news
      where organization_id = ${organizationId} and id = ${subscriptionId}`
    // Unsubscribed, or read on another device in the meantime.
    if (!subscription?.kinds) return
    const { kinds, language, taskId, endpoint, auth } = subscription
    const text = JSON.stringify({ kinds, language, ...(taskId === null ? {} : { taskId }) })
    if (await isAccepted(context, subscription, text)) return
    // Only this one: the browser may have subscribed again under the same address.
    await sql`
      delete from push_subscriptions
      where organization_id = ${organizationId} and id = ${subscriptionId} and endpoint = ${endpoint} and auth = ${auth}`
  },
})

/** False when the subscription is no longer valid. Throws what is worth another attempt. */
async function isAccepted(
  { sql, config, clock, log, signal }: JobContext,
  subscription: SubscriptionRow,
  text: string,
): Promise<boolean> {
  const { headers, body } = pushRequest(subscription, text, {
    keys: await pushKeys({ sql, config }),
    subject: subjectOf(config.publicUrl),
    now: new Date(clock.now().epochMilliseconds),
    ttlSeconds: keptSeconds,
    topic: "notices",
  })
  const { host } = new URL(subscription.endpoint)
  try {
    const { statusCode } = await sendOutbound(
      { url: subscription.endpoint, method: "POST", headers, body, timeoutMilliseconds, maxBytes, signal },
      config.webhookAllow,
    )
    if (statusCode >= 200 && statusCode < 300) return true
    if (!goneCodes.has(statusCode)) throw new Error(`the push service ${host} responded with ${statusCode}`)
    log.info({ host, statusCode }, "a push subscription has ended")
    return false
  } catch (error) {
    if (!(error instanceof OutboundError && error.failure === "target")) throw error
    log.info({ host, reason: error.message }, "a push subscription has an address that is not allowed")
    return false
  }
}

/** Push services want to know whom to contact. */
function subjectOf(publicUrl: string): string {
  return publicUrl.startsWith("https://") ? publicUrl : `mailto:postmaster@${new URL(publicUrl).hostname}`
}

/** Notices are kept for 30 days. */
const removeOldNotices = defineJob({
  name: "notice.remove-old",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "37 3 * * *",
  async handle({ sql, signal }) {
    await deleteExpired(sql, signal, { table: "notices", column: "created_time", age: "30 days" })
  },
})

export const noticeJobs: readonly Job[] = [sendPush, removeOldNotices]
