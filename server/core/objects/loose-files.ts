import { Type } from "typebox"
import { afterCommit, type Pool, type Tx } from "../database/database.ts"
import { defineJob, type Job } from "../jobs/define-job.ts"
import type { Objects } from "./objects.ts"

/** Longer than any upload, export or archive takes. */
const expectedHours = 24
/** How long deleting can be undone, and a little more. */
const undoableMinutes = 15

/**
 * Call it before a file is stored: if the row that refers to it is never committed, a job removes the file after a day.
 * Takes the pool, since it must be committed before the store has the file, whatever becomes of the transaction.
 */
export async function expectFile(sql: Pool, key: string): Promise<void> {
  await sql`
    insert into loose_files (organization_id, key, remove_after)
    values (${organizationOf(key)}, ${key}, now() + make_interval(hours => ${expectedHours}))
    on conflict (organization_id, key) do update set remove_after = excluded.remove_after`
}

/** Call it in the transaction that writes the row which refers to the file. */
export async function keepFile(tx: Tx, key: string): Promise<void> {
  await tx`delete from loose_files where organization_id = ${organizationOf(key)} and key = ${key}`
}

/**
 * Call it in the transaction that deletes the last reference to files. They are removed once it has committed; what a
 * store that is away keeps is removed by the job.
 */
export async function discardFiles(
  tx: Tx,
  objects: Objects,
  keys: readonly (string | null | undefined)[],
): Promise<void> {
  for (const key of keys) {
    if (!key) continue
    await tx`
      insert into loose_files (organization_id, key, remove_after) values (${organizationOf(key)}, ${key}, now())
      on conflict (organization_id, key) do update set remove_after = excluded.remove_after`
    afterCommit(tx, () => void objects.remove(key).catch(() => undefined))
  }
}

/**
 * As `discardFiles`, where the row can come back for some minutes: a job removes the files later, unless a row refers to them
 * again.
 */
export async function discardFilesLater(tx: Tx, keys: readonly (string | null | undefined)[]): Promise<void> {
  for (const key of keys) {
    if (!key) continue
    await tx`
      insert into loose_files (organization_id, key, remove_after)
      values (${organizationOf(key)}, ${key}, now() + make_interval(mins => ${undoableMinutes}))
      on conflict (organization_id, key) do update set remove_after = excluded.remove_after`
  }
}

function organizationOf(key: string): string {
  return key.slice(0, key.indexOf("/"))
}

const batchSize = 100

/** Removes the files that nobody came to own, and those that were discarded. Safe to repeat: removing twice is no error. */
const removeLooseFiles = defineJob({
  name: "core.remove-loose-files",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "33 * * * *",
  async handle({ sql, objects, signal }) {
    while (!signal.aborted) {
      const due = await sql<{ organizationId: string; key: string; isOwned: boolean }[]>`
        select organization_id, key, is_file_owned(organization_id, key) as is_owned
        from loose_files where remove_after <= now() order by remove_after limit ${batchSize}`
      for (const { organizationId, key, isOwned } of due) {
        if (!isOwned) await objects.remove(key)
        await sql`
          delete from loose_files where organization_id = ${organizationId} and key = ${key} and remove_after <= now()`
      }
      if (due.length < batchSize) return
    }
  },
})

export const looseFileJobs: readonly Job[] = [removeLooseFiles]
