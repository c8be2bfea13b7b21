import { Type } from "typebox"
import { afterCommit } from "#core/database/database.ts"
import { type DomainEventListener, domainEvents } from "#core/domain-events.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { sendSoon } from "#core/jobs/send-soon.ts"
import { backfillMonth, foldChanges, sumUpMonths } from "./fold-changes.ts"

/** Counts changed hours again, one organization after the other. */
const foldRollups = defineJob({
  name: "insight.fold-rollups",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle({ sql, signal }) {
    const due = await sql<{ organizationId: string }[]>`
      select organization_id from rollup_changes group by 1 order by min(id)`
    for (const { organizationId } of due) {
      if (signal.aborted) return
      await foldChanges(sql, organizationId, signal)
    }
  },
})

/** The first count of work from before; a month of each organization in turn. */
const backfillRollups = defineJob({
  name: "insight.backfill-rollups",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "* * * * *",
  async handle({ sql, clock, signal }) {
    const due = await sql<{ organizationId: string }[]>`
      select organization_id from rollup_states where covered_since is distinct from '-infinity' order by 1`
    let open = due.map(({ organizationId }) => organizationId)
    while (open.length > 0 && !signal.aborted) {
      const more: string[] = []
      for (const id of open) {
        if (signal.aborted) return
        if (await backfillMonth(sql, id, clock.now())) more.push(id)
      }
      open = more
    }
  },
})

const sumUpRollups = defineJob({
  name: "insight.sum-up-months",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "17 * * * *",
  async handle({ sql, clock, signal }) {
    const due = await sql<{ organizationId: string }[]>`
      select distinct organization_id from rollup_months where not is_current and at < ${clock.now()}`
    for (const { organizationId } of due) {
      if (signal.aborted) return
      await sumUpMonths(sql, organizationId, clock.now(), signal)
    }
  },
})

/** Listener of domain events: keeps what is left to count small where much changes. Reports count the rest themselves. */
export const foldRollupsSoon: DomainEventListener = async (tx, _organizationId, event, _events, pool) => {
  if (domainEvents[event] !== "task") return
  afterCommit(tx, () => sendSoon(pool, foldRollups, { pauseMilliseconds: 10_000, changes: 50 }))
}

export const rollupJobs: readonly Job[] = [foldRollups, backfillRollups, sumUpRollups]
