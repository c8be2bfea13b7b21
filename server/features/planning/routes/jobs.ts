import { Type } from "typebox"
import type { Sql } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext, longQueue, send } from "#core/jobs/define-job.ts"
import { roadSupplyOf } from "../../location/roads/index.ts"
import { failAbandoned, type PlanContext, runPlan, silenceSeconds } from "./plan/run-plan.ts"

const Payload = Type.Object({ organizationId: Type.String(), resultId: Type.String() })

const planJob: Job<typeof Payload> = defineJob({
  name: "routing.plan",
  payload: Payload,
  maxAttempts: 4,
  timeoutSeconds: 600,
  isLong: true,
  async handle(context, { organizationId, resultId }) {
    try {
      const outcome = await runPlan(planContextOf(context, organizationId), organizationId, resultId)
      // Another process is at it: look again when it could have died.
      if (outcome === "busy")
        await sendPlan(context.sql, organizationId, resultId, laterThan(context.clock.now()))
    } catch (error) {
      if (!context.isLastAttempt) throw error
      context.log.error({ organizationId, resultId, reason: String(error) }, "planning failed")
      const message =
        "Planning failed because of an internal error, which has been logged. Restart the run later"
      await failAbandoned(
        { ...planContextOf(context, organizationId), signal: AbortSignal.timeout(10_000) },
        organizationId,
        resultId,
        message,
      )
    }
  },
})

function planContextOf(context: JobContext, organizationId: string): PlanContext {
  const { sql, live, log, signal } = context
  return { sql, live, log, roads: roadSupplyOf(context, organizationId), signal, showsProgress: true }
}

/** Has a result planned in the background, now or at a time when its current runner must have finished or died. */
export function sendPlan(
  sql: Sql,
  organizationId: string,
  resultId: string,
  runAt?: Temporal.Instant,
): Promise<void> {
  const queue = longQueue("routing", organizationId)
  const key = `routing:${resultId}`
  return send(sql, planJob, { organizationId, resultId }, { queue, key, ...(runAt ? { runAt } : {}) })
}

export function laterThan(now: Temporal.Instant): Temporal.Instant {
  return now.add({ seconds: silenceSeconds + 5 })
}

export const routingJobs: readonly Job[] = [planJob]
