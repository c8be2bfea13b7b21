import { Type } from "typebox"
import { inTransaction } from "#core/database.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"

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

const wordsBatch = 2000

/**
 * Brings the searchable text of changed records up to date. A batch takes its notes and reads the records in
 * one statement, so a record is at any moment either noted or indexed as it is.
 */
export const indexRecordWords = defineJob({
  name: "data.index-words",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle({ sql, signal }) {
    const due = await sql<
      { organizationId: string }[]
    >`select distinct organization_id from data_word_changes`
    for (const { organizationId } of due) {
      for (let taken = wordsBatch; taken === wordsBatch && !signal.aborted; ) {
        const [batch] = await sql<{ taken: number }[]>`
          with noted as (
            delete from data_word_changes where organization_id = ${organizationId} and id in (
              select id from data_word_changes where organization_id = ${organizationId} order by id limit ${wordsBatch})
            returning record_id
          ), indexed as (
            insert into data_record_words (organization_id, record_id, data_type_id, words)
            select organization_id, id, data_type_id,
              concat_ws(chr(10), data_id, (select string_agg(value, chr(10)) from jsonb_each_text("values")))
            from data_records
            where organization_id = ${organizationId} and id = any (array(select distinct record_id from noted))
            order by id
            on conflict (organization_id, record_id) do update set data_type_id = excluded.data_type_id, words = excluded.words
          )
          select count(*) as taken from noted`
        taken = batch?.taken ?? 0
      }
    }
  },
})

export const recordJobs: readonly Job[] = [foldRecordCounts, indexRecordWords]
