import { Type } from "typebox"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { defineJob, type Job, longQueue, send } from "#core/jobs/define-job.ts"
import { discardFiles } from "#core/objects/loose-files.ts"
import { Postponed, readingLimits } from "./kept-responses.ts"
import { findForJob, listLost, listOld, type ReadingRow } from "./queries.ts"
import { endReading, runReading, serverFault } from "./run-reading.ts"

const readOtherSystem = defineJob({
  name: "imports.read-other-system",
  payload: Type.Object({ organizationId: Type.String(), readingId: Type.String() }),
  maxAttempts: 12,
  timeoutSeconds: 1_800,
  isLong: true,
  async handle(context, { organizationId, readingId }) {
    const reading = await findForJob(context.sql, organizationId, readingId)
    if (reading?.status !== "reading") return
    try {
      await runReading(context, reading)
    } catch (error) {
      if (error instanceof Postponed) {
        await inTransaction(context.sql, (tx) => sendReading(tx, reading, error.until))
        return
      }
      if (context.isLastAttempt && !context.signal.aborted)
        await endReading(context, reading, { status: "failed", problem: serverFault })
      throw error
    }
  },
})

/** Behind everything interactive, and one list of an organization at a time. */
export async function sendReading(
  tx: Tx,
  { organizationId, id: readingId }: Pick<ReadingRow, "organizationId" | "id">,
  runAt?: Temporal.Instant,
): Promise<void> {
  const options = {
    queue: longQueue("outside", organizationId),
    key: `reading:${readingId}`,
    priority: 10,
    ...(runAt ? { runAt } : {}),
  }
  await send(tx, readOtherSystem, { organizationId, readingId }, options)
}

const silentMinutes = 2
export const keptDays = 7

/** Goes on with readings whose job was lost with its worker, ends those without any progress, and deletes old ones. */
const tidyReadings = defineJob({
  name: "imports.tidy-readings",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 60,
  cron: "* * * * *",
  async handle(context) {
    const { sql, clock, objects, log, signal } = context
    const now = clock.now()
    for (const reading of await listLost(sql, now.subtract({ minutes: silentMinutes }))) {
      const isOver =
        Temporal.Instant.compare(reading.createdTime, now.subtract({ hours: readingLimits.hours + 1 })) < 0
      log.warn({ readingId: reading.id }, "the reading of another system was lost and has been queued again")
      if (isOver) await endReading(context, reading, { status: "failed", problem: serverFault })
      else await inTransaction(sql, (tx) => sendReading(tx, reading))
    }
    for (const reading of await listOld(sql, now.subtract({ hours: 24 * keptDays }))) {
      if (signal.aborted) return
      await inTransaction(sql, async (tx) => {
        await tx`
          delete from other_system_readings
          where organization_id = ${reading.organizationId} and id = ${reading.id} and status <> 'reading'`
        await discardFiles(tx, objects, [reading.fileKey])
      })
    }
  },
})

export const otherSystemJobs: readonly Job[] = [readOtherSystem, tidyReadings]
