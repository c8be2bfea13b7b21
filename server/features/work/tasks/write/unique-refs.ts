import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { trashErrors } from "#core/trash.ts"
import { taskErrors } from "../errors.ts"

/** References that new and changed tasks take, where the organization requires them to be unique. */
export interface UniqueRefs {
  /** Throws when another task has the reference; else it is taken from now on. */
  claim(refId: string): void
}

const anything: UniqueRefs = { claim: () => undefined }

/**
 * Locks are advisory and in buckets: a lock for each of 2,000 references would fill the database's lock table. Two
 * calls about different references rarely wait for each other.
 */
const buckets = 256

/**
 * Makes calls about the same references wait for each other until the transaction ends. First a shared lock that
 * switching the setting on waits for, then the references, always in the same order.
 */
export async function lockRefIds(tx: Tx, caller: Caller, refIds: readonly string[]): Promise<void> {
  if (refIds.length === 0) return
  const { organizationId } = caller
  await Promise.all([
    tx`select pg_advisory_xact_lock_shared(hashtextextended(${settingKey(organizationId)}, 0))`.reusePlan(),
    tx`
      select pg_advisory_xact_lock(hashtextextended(${`task refId ${organizationId}`}, 0) + bucket) from (
        select distinct abs(hashtextextended(ref_id, 0) % ${buckets}) as bucket from unnest(${refIds as string[]}::text[]) ref_id
        order by 1) ordered`.reusePlan(),
  ])
}

const settingKey = (organizationId: string) => `unique refId ${organizationId}`

/** What `refIds` may be given to tasks; costs two short statements where there are any. */
export async function readUniqueRefs(
  tx: Tx,
  caller: Caller,
  refIds: readonly (string | null | undefined)[],
): Promise<UniqueRefs> {
  const wanted = [...new Set(refIds.filter((refId) => typeof refId === "string" && refId !== ""))] as string[]
  if (wanted.length === 0) return anything
  // The second statement reads what was committed before the lock was granted.
  const [, required] = await Promise.all([
    tx`select pg_advisory_xact_lock_shared(hashtextextended(${settingKey(caller.organizationId)}, 0))`.reusePlan(),
    tx`
      select from organizations
      where id = ${caller.organizationId} and configuration ->> 'uniqueRefId' = 'true'`.reusePlan(),
  ])
  if (required.length === 0) return anything
  await lockRefIds(tx, caller, wanted)
  const rows = await tx<{ refId: string }[]>`
    select distinct ref_id from tasks where organization_id = ${caller.organizationId} and ref_id = any (${wanted})`
  const taken = new Set(rows.map(({ refId }) => refId))
  return {
    claim(refId) {
      if (taken.has(refId))
        throw taskErrors.refIdTaken({ fields: { refId: ["belongs to another task already"] } })
      taken.add(refId)
    },
  }
}

/** Takes the references of tasks that come back. Throws when one must be unique and belongs to another task. */
export async function holdRestoredRefs(tx: Tx, caller: Caller, refIds: readonly string[]): Promise<void> {
  const refs = await readUniqueRefs(tx, caller, refIds)
  for (const refId of refIds) {
    if (refId === "") continue
    try {
      refs.claim(refId)
    } catch (cause) {
      const message = `The refId ${refId} belongs to another task, and your organization requires unique values`
      throw trashErrors.taken({ cause, message, fields: { refId: [`${refId} belongs to another task`] } })
    }
  }
}

/** Waits for concurrent writes of references and returns some that several tasks have. */
export async function findRepeatedRefs(tx: Tx, organizationId: string): Promise<string[]> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${settingKey(organizationId)}, 0))`
  const rows = await tx<{ refId: string }[]>`
    select ref_id from tasks where organization_id = ${organizationId} and ref_id is not null
    group by ref_id having count(*) > 1 order by ref_id limit 10`
  return rows.map(({ refId }) => refId)
}
