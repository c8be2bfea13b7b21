import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { defineJob, send } from "#core/jobs/define-job.ts"
import { releaseOrigin, removeOrphans } from "../../people/accounts/index.ts"
import { queueMail } from "../mails/index.ts"
import { findOrganization } from "./queries.ts"

/** Removes what no foreign key reaches, such as location points. Called in the transaction of the deletion. */
export type DeletionHook = (tx: Tx, organization: { id: string; number: number }) => Promise<void>

/**
 * Deletes an organization for good: every row of it, then, by a job, every stored file. Everybody's access ends
 * with the commit. Accounts without another organization go too. Everybody is notified by mail, invited and disabled people
 * too, from the installation's first organization; only who declined is not.
 */
export async function deleteOrganization(
  tx: Tx,
  caller: Caller,
  hooks: readonly DeletionHook[],
): Promise<void> {
  const { organizationId } = caller
  await tx`select 1 from organizations where id = ${organizationId} for update`
  const organization = await findOrganization(tx, organizationId)
  const members = await tx<{ accountId: string; email: string; name: string; status: string }[]>`
    select account_id, email, name, status from users where organization_id = ${organizationId} order by account_id for update`
  for (const hook of hooks) await hook(tx, organization)
  await tx`
    delete from graphile_worker._private_jobs
    where payload->>'organizationId' = ${organizationId} and locked_at is null`
  await tx`delete from organizations where id = ${organizationId}`
  await releaseOrigin(tx, organizationId)
  await removeOrphans(
    tx,
    members.map((member) => member.accountId),
  )
  await send(tx, removeFiles, { organizationId })
  for (const member of members.filter(({ status }) => status !== "reject"))
    await queueMail(
      tx,
      { organizationId: null, email: member.email, language: organization.language },
      "organizationDeleted",
      { name: member.name, organization: organization.name },
    )
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
