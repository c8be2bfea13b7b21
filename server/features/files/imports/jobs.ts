import { Type } from "typebox"
import { type Caller, findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { defineJob, type Job, longQueue, send } from "#core/jobs/define-job.ts"
import { discardFiles } from "#core/objects/loose-files.ts"
import { endImport } from "./end-import.ts"
import { type ImportRow, importColumns } from "./queries.ts"
import { runSlice } from "./run-import.ts"
import { geocodeTasks } from "./targets/geocode-tasks.ts"
import { undoImport } from "./undo-import.ts"

const OneImport = Type.Object({ organizationId: Type.String(), importId: Type.String() })

const readImport = defineJob({
  name: "imports.read",
  payload: OneImport,
  maxAttempts: 12,
  timeoutSeconds: 300,
  isLong: true,
  async handle(context, { organizationId, importId }) {
    try {
      const hasMore = await runSlice(context, organizationId, importId)
      if (hasMore) await inTransaction(context.sql, (tx) => sendImport(tx, organizationId, importId))
    } catch (error) {
      if (context.isLastAttempt && !context.signal.aborted) {
        const record = await findForJob(context.sql, organizationId, importId)
        if (record?.status === "onprocess")
          await endImport(
            context,
            record,
            "The import stopped because of a server error, which has been logged",
          )
      }
      throw error
    }
  },
})

/**
 * The next slice of an import. One queue an organization: its imports take turns, and none of them keeps the
 * workers from another organization's. Behind everything interactive, by its priority.
 */
export async function sendImport(tx: Tx, organizationId: string, importId: string): Promise<void> {
  const options = {
    queue: longQueue("readingImportDatasource", organizationId),
    key: `import:${importId}`,
    priority: 10,
  }
  await send(tx, readImport, { organizationId, importId }, options)
}

/** The rest of an undo that took longer than its caller could wait. */
const undoRest = defineJob({
  name: "imports.undo",
  payload: Type.Object({ organizationId: Type.String(), importId: Type.String(), userId: Type.String() }),
  maxAttempts: 12,
  timeoutSeconds: 3_600,
  isLong: true,
  async handle(context, { organizationId, importId, userId }) {
    const { sql, clock, config, live, signal } = context
    const record = await findForJob(sql, organizationId, importId)
    const caller = await findCallerOfUser(sql, organizationId, userId)
    if (!record || !caller || record.undoResult?.isComplete) return
    await undoImport(
      sql,
      caller,
      record,
      { now: clock.now(), live, publicUrl: config.publicUrl },
      () => signal.aborted,
    )
  },
})

export async function sendUndo(tx: Tx, caller: Caller, importId: string): Promise<void> {
  const { organizationId, userId } = caller
  await send(
    tx,
    undoRest,
    { organizationId, importId, userId },
    {
      queue: longQueue("readingImportDatasource", organizationId),
      key: `import-undo:${importId}`,
      priority: 10,
    },
  )
}

async function findForJob(
  sql: Parameters<typeof importColumns>[0],
  organizationId: string,
  importId: string,
) {
  const rows = await sql<ImportRow[]>`
    select ${importColumns(sql)} from imports where organization_id = ${organizationId} and id = ${importId}`
  return rows[0]
}

const stalledMinutes = 30
const keptDays = 30

/** Fails imports without any progress for half an hour, and deletes what is older than 30 days, files included. */
const tidyImports = defineJob({
  name: "imports.tidy",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "*/10 * * * *",
  async handle(context) {
    const { sql, clock, objects, signal } = context
    const now = clock.now()
    const stalled = await sql<ImportRow[]>`
      select ${importColumns(sql)} from imports
      where status = 'onprocess' and updated_time < ${now.subtract({ minutes: stalledMinutes })} limit 100`
    for (const record of stalled) await endImport(context, record, "There was no progress for 30 minutes")
    for (;;) {
      const old = await sql<ImportRow[]>`
        select ${importColumns(sql)} from imports where created_time < ${now.subtract({ hours: 24 * keptDays })} limit 20`
      for (const record of old) {
        if (signal.aborted) return
        await inTransaction(sql, async (tx) => {
          await tx`delete from imports where organization_id = ${record.organizationId} and id = ${record.id}`
          await discardFiles(tx, objects, [record.rowsKey, record.failedKey])
        })
      }
      if (old.length === 0) return
    }
  },
})

const silentMinutes = 2

/**
 * Goes on with imports whose next slice was lost, such as with a worker that was taken for dead while it ran, or has no
 * attempt left, because each ended with its worker. Without progress the import fails after half an hour.
 */
const resumeImports = defineJob({
  name: "imports.resume",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 60,
  cron: "* * * * *",
  async handle({ sql, clock, log }) {
    const lost = await sql<{ organizationId: string; importId: string }[]>`
      select organization_id, id as import_id from imports
      where status = 'onprocess' and updated_time < ${clock.now().subtract({ minutes: silentMinutes })} and not exists (
        select from graphile_worker._private_jobs waiting where waiting.payload->>'importId' = imports.id
          and (waiting.attempts < waiting.max_attempts or waiting.locked_at is not null)) limit 100`
    for (const { organizationId, importId } of lost) {
      log.warn({ importId }, "the next batch of an import was lost and has been queued again")
      await inTransaction(sql, (tx) => sendImport(tx, organizationId, importId))
    }
  },
})

export const importJobs: readonly Job[] = [readImport, resumeImports, undoRest, geocodeTasks, tidyImports]
