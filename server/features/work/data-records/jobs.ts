import { Type } from "typebox"
import { afterCommit, inTransaction } from "#core/database/database.ts"
import { type DomainEventListener, domainEvents } from "#core/domain-events.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { sendSoon } from "#core/jobs/send-soon.ts"
import { indexNotedRecords, organizationsToIndex } from "./find/index-records.ts"

/**
 * Folds the changes of record counts into the counted groups. One transaction an organization: readers see
 * either the changes or their sum, never both.
 */
export const foldRecordCounts = defineJob({
  name: "data.fold-counts",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle({ sql, signal }) {
    const due = await sql<{ organizationId: string }[]>`
      select organization_id from data_count_changes group by organization_id having count(*) > 50`
    for (const { organizationId } of due) {
      if (signal.aborted) return
      await inTransaction(sql, async (tx) => {
        await tx`
          with folded as (
            delete from data_count_changes where organization_id = ${organizationId}
            returning data_type_id, hub_id, field_id, value, change
          )
          insert into data_counts (organization_id, data_type_id, hub_id, field_id, value, count)
          select ${organizationId}, data_type_id, hub_id, field_id, value, sum(change)
          from folded group by 2, 3, 4, 5 order by 2, 3, 4, 5
          on conflict (organization_id, data_type_id, field_id, value, hub_id)
          do update set count = data_counts.count + excluded.count`
        await tx`delete from data_counts where organization_id = ${organizationId} and count = 0`
      })
    }
  },
})

/** Listener of domain events: has the counts folded within seconds where many records change, as those of tasks. */
export const foldRecordCountsSoon: DomainEventListener = async (
  tx,
  _organizationId,
  event,
  _events,
  pool,
) => {
  if (domainEvents[event] !== "data") return
  afterCommit(tx, () => sendSoon(pool, foldRecordCounts, { pauseMilliseconds: 2_000, changes: 50 }))
}

/** Brings what searches go by up to date with the records that changed. */
export const indexRecords = defineJob({
  name: "data.index-words",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle({ sql, signal }) {
    // A batch of each in turn, checking again: a bulk write of one of them may have started.
    for (let hasMore = true; hasMore; ) {
      hasMore = false
      for (const organizationId of await organizationsToIndex(sql)) {
        if (signal.aborted) return
        if (await indexNotedRecords(sql, organizationId)) hasMore = true
      }
    }
  },
})

export const recordJobs: readonly Job[] = [foldRecordCounts, indexRecords]
