import type { Tx } from "#core/database/database.ts"
import { queueMail } from "../../organization/mails/index.ts"
import { releaseOrigin, removeOrphans } from "../accounts/index.ts"

/**
 * Locks the members of an organization that is being deleted. What is returned runs after its rows are gone: accounts
 * without another organization go too. Everybody is notified by mail, invited and disabled people too, from the
 * installation's first organization; only those who declined are not.
 */
export async function releaseMembers(tx: Tx, organization: { id: string; name: string; language: string }) {
  const { id: organizationId, language } = organization
  const members = await tx<{ accountId: string; email: string; name: string; status: string }[]>`
    select account_id, email, name, status from users where organization_id = ${organizationId} order by account_id for update`
  return async (): Promise<void> => {
    await releaseOrigin(tx, organizationId)
    await removeOrphans(
      tx,
      members.map((member) => member.accountId),
    )
    for (const { email, name } of members.filter(({ status }) => status !== "reject"))
      await queueMail(tx, { organizationId: null, email, language }, "organizationDeleted", {
        name,
        organization: organization.name,
      })
  }
}
