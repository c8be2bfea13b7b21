import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { defineJob, type Job, type JobContext, longQueue, send } from "#core/jobs/define-job.ts"
import { expectFile, keepFile } from "#core/objects/loose-files.ts"
import { privateKey } from "#core/objects/objects.ts"
import { findOrganization } from "./queries.ts"
import type { OrganizationRow } from "./wire.ts"

export interface OrganizationArchive {
  id: string
  userId: string
  status: "making" | "ready" | "failed"
  requestedTime: Temporal.Instant
  completedTime: Temporal.Instant | null
  bytes: number | null
  fileKey: string | null
  error: string | null
}

export const archiveDays = 7

export async function findArchive(
  sql: Sql,
  organizationId: string,
): Promise<OrganizationArchive | undefined> {
  const rows = await sql<OrganizationArchive[]>`
    select id, user_id, status, requested_time, completed_time, bytes, file_key, error
    from organization_archives where organization_id = ${organizationId}`
  return rows[0]
}

const couldNotBeMade = "The archive could not be created. Request it again, or contact the operator"

/** As `findArchive`, but failed where its job has ended and the database was away when that was to be recorded. */
export async function currentArchive(
  sql: Sql,
  organizationId: string,
): Promise<OrganizationArchive | undefined> {
  const archive = await findArchive(sql, organizationId)
  if (archive?.status !== "making") return archive
  const live = await sql`
    select 1 from graphile_worker._private_jobs
    where payload ->> 'archiveId' = ${archive.id} and (attempts < max_attempts or locked_at is not null)`
  return live.length > 0 ? archive : { ...archive, status: "failed", error: couldNotBeMade }
}

/** Asks for an archive of everything, in place of an earlier one. One that is being made is not asked for twice. */
export async function requestArchive(
  tx: Tx,
  caller: Caller,
  now: Temporal.Instant,
): Promise<OrganizationArchive> {
  const { organizationId, userId } = caller
  await tx`select 1 from organizations where id = ${organizationId} for update`
  const earlier = await currentArchive(tx, organizationId)
  if (earlier?.status === "making" && earlier.userId === userId) return earlier
  const archiveId = newId()
  await tx`delete from organization_archives where organization_id = ${organizationId}`
  await tx`
    insert into organization_archives (organization_id, id, user_id, status, requested_time)
    values (${organizationId}, ${archiveId}, ${userId}, 'making', ${now})`
  if (earlier?.fileKey) await send(tx, removeArchive, { organizationId, fileKey: earlier.fileKey })
  await send(
    tx,
    archiveJob,
    { organizationId, archiveId },
    { queue: longQueue("export", organizationId), priority: 10 },
  )
  const made = await findArchive(tx, organizationId)
  if (!made) throw new Error("an archive vanished in the transaction that asked for it")
  return made
}

/** Writes an organization's archive without secrets through an empty folder; returns it as one file. */
export type WriteArchive = (
  from: Pick<JobContext, "sql" | "objects">,
  organization: Pick<OrganizationRow, "id" | "number" | "name">,
  folder: string,
) => Promise<Readable>

const archiveJob = {
  name: "organization.make-archive",
  payload: Type.Object({ organizationId: Type.String(), archiveId: Type.String() }),
  maxAttempts: 3,
  timeoutSeconds: 7_200,
  isLong: true,
} as const

/** Writes the archive as operators do with `organization:export`, but without secrets, and packs it into one file. */
export function makeArchive(write: WriteArchive): Job {
  return defineJob({
    ...archiveJob,
    async handle(context, { organizationId, archiveId }) {
      const { sql, clock } = context
      const wanted = await findArchive(sql, organizationId)
      if (wanted?.id !== archiveId || wanted.status !== "making") return
      const fileKey = privateKey(organizationId, `organization-${archiveId}.tar`)
      try {
        const bytes = await storeArchive(context, write, organizationId, fileKey)
        await inTransaction(sql, async (tx) => {
          const kept = await tx`
          update organization_archives set status = 'ready', bytes = ${bytes}, file_key = ${fileKey}, completed_time = ${clock.now()}
          where organization_id = ${organizationId} and id = ${archiveId} and status = 'making' returning 1`
          if (kept.length === 0) return
          await keepFile(tx, fileKey)
          const runAt = clock.now().add({ hours: 24 * archiveDays })
          await send(tx, removeArchive, { organizationId, fileKey }, { runAt })
        })
      } catch (error) {
        if (!context.isLastAttempt) throw error
        // Where the database is away, `currentArchive` finds that the job has ended.
        await sql`
        update organization_archives set status = 'failed', completed_time = ${clock.now()},
          error = ${couldNotBeMade}
        where organization_id = ${organizationId} and id = ${archiveId} and status = 'making'`.catch(
          () => undefined,
        )
        throw error
      }
    },
  })
}

async function storeArchive(
  { sql, objects }: JobContext,
  write: WriteArchive,
  organizationId: string,
  fileKey: string,
): Promise<number> {
  const { id, number, name } = await findOrganization(sql, organizationId)
  const folder = await mkdtemp(join(tmpdir(), "fieldway-archive-"))
  try {
    const archive = await write({ sql, objects }, { id, number, name }, folder)
    await expectFile(sql, fileKey)
    return await objects.put(fileKey, archive)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Deletes an archive after its week, or when a newer one takes its place. */
export const removeArchive = defineJob({
  name: "organization.remove-archive",
  payload: Type.Object({ organizationId: Type.String(), fileKey: Type.String() }),
  maxAttempts: 20,
  timeoutSeconds: 600,
  async handle({ sql, objects }, { organizationId, fileKey }) {
    await sql`
      delete from organization_archives where organization_id = ${organizationId} and file_key = ${fileKey}`
    await objects.remove(fileKey)
  },
})
