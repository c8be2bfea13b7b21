import { Type } from "typebox"
import { findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { defineJob, type JobContext } from "#core/jobs/define-job.ts"
import { latestRunMinutes } from "#packages/recurrence/due.ts"
import { exportFormats } from "#shared/export-formats.ts"
import {
  type ExportConfigRow,
  lockDueConfigs,
  nextRunOf,
  setNextRun,
} from "../export-configurations/index.ts"
import { sendExport } from "./jobs.ts"
import { insertExport } from "./queries.ts"
import { newExport } from "./request-export.ts"
import { readTaskExport } from "./task-export-options.ts"

const atOnce = 20

/**
 * Every minute: creates the exports that are due by the schedules of configurations, on behalf of the person who set the
 * schedule. A run up to an hour late is made, an older one skipped, as with task schedules.
 */
export const runSchedules = defineJob({
  name: "exports.run-schedules",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle(context) {
    for (;;) {
      const count = await inTransaction(context.sql, (tx) => runDue(tx, context))
      if (count < atOnce || context.signal.aborted) return
    }
  },
})

async function runDue(tx: Tx, context: JobContext): Promise<number> {
  const now = context.clock.now()
  const due = await lockDueConfigs(tx, now, atOnce)
  for (const config of due) {
    const isLate =
      config.nextRunTime === null ||
      Temporal.Instant.compare(config.nextRunTime, now.subtract({ minutes: latestRunMinutes })) < 0
    if (!isLate) await startExport(tx, context, config, now)
    const next = config.schedule ? nextRunOf(config.schedule, now) : null
    await setNextRun(tx, config, next)
  }
  return due.length
}

async function startExport(
  tx: Tx,
  { log }: JobContext,
  config: ExportConfigRow,
  now: Temporal.Instant,
): Promise<void> {
  const { organizationId, id, schedule } = config
  const caller = await findCallerOfUser(tx, organizationId, config.scheduledBy ?? "")
  if (!caller?.permissions.has("export/task") || !schedule) {
    log.warn(
      { organizationId, exportConfigId: id },
      "a scheduled export has no user with the permission to run it",
    )
    return
  }
  const format = exportFormats.find((known) => known === config.format) ?? "xlsx"
  const body = { download: format, exportConfigId: id, background: true }
  const options = await readTaskExport(tx, caller, body)
  const request = { collection: "task" as const, format, options, body }
  const asked = { request, expectedRows: 0, isBackground: true, hubIds: undefined, exportConfigId: id }
  const row = { ...(await newExport({ sql: tx, now }, caller, asked)), notifyEmails: schedule.emails }
  await insertExport(tx, row)
  await sendExport(tx, row)
}
