import { Type } from "typebox"
import { distributedTables } from "#core/database/citus.ts"
import type { Tx } from "#core/database/database.ts"
import { defineJob, send } from "#core/jobs/define-job.ts"
import { findOrganization } from "./queries.ts"
import type { OrganizationRow } from "./wire.ts"

/**
 * Removes what no foreign key reaches, such as location points. Called in the transaction of the deletion; what it
 * returns is called after the rows of the organization are gone.
 */
export type DeletionHook = (
  tx: Tx,
  organization: OrganizationRow,
) => Promise<(() => Promise<void>) | undefined>

/**
 * Deletes an organization for good: every row of it, then, by a job, every stored file. Everybody's access ends
 * with the commit.
 */
export async function deleteOrganization(
  tx: Tx,
  organizationId: string,
  hooks: readonly DeletionHook[],
): Promise<void> {
  await tx`select 1 from organizations where id = ${organizationId} for update`
  const organization = await findOrganization(tx, organizationId)
  const finishing = []
  for (const hook of hooks) finishing.push(await hook(tx, organization))
  await tx`
    delete from graphile_worker._private_jobs
    where payload->>'organizationId' = ${organizationId} and locked_at is null`
  await deleteDetachedRows(tx, organization)
  await tx`delete from organizations where id = ${organizationId}`
  await send(tx, removeFiles, { organizationId })
  for (const finish of finishing) await finish?.()
}

/**
 * Rows that no foreign key leads to, because their tables may be on other machines. Points may be millions: the job
 * `location.delete-unkept` removes them in the background.
 */
async function deleteDetachedRows(tx: Tx, organization: OrganizationRow): Promise<void> {
  for (const [table, column] of Object.entries(distributedTables)) {
    if (table === "location_points") continue
    const key = column === "organization_id" ? organization.id : organization.number
    await tx`delete from ${tx(table)} where ${tx(column)} = ${key}`
  }
}

/** Files go after the commit: a rolled back deletion must not have lost them. */
export const removeFiles = defineJob({
  name: "organization.remove-files",
  payload: Type.Object({ organizationId: Type.String() }),
  maxAttempts: 20,
  timeoutSeconds: 3600,
  async handle({ sql, objects }, { organizationId }) {
    const left = await sql`select 1 from organizations where id = ${organizationId}`
    if (left.length === 0) await objects.removeUnder(organizationId)
  },
})
