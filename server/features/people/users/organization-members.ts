import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { queueMail } from "../../organization/mails/index.ts"
import { releaseOrigin, removeOrphans } from "../accounts/index.ts"

export interface FirstOwner {
  organizationId: Id<"organization">
  accountId: Id<"account">
  email: string
  name: string
  phoneNumber?: string | null
  language: string
  status: "active" | "inactive"
  roleId: Id<"role">
}

/** The member that an organization begins with. Its role cannot change, nor can it be deleted. */
export async function insertFirstOwner(tx: Tx, owner: FirstOwner): Promise<Id<"user">> {
  const id = newId<"user">()
  await tx`
    insert into users (organization_id, id, account_id, email, name, phone_number, language, status, role_id, is_first_owner)
    values (${owner.organizationId}, ${id}, ${owner.accountId}, ${owner.email}, ${owner.name},
      ${owner.phoneNumber ?? null}, ${owner.language}, ${owner.status}, ${owner.roleId}, true)`
  return id
}

export interface UnconfirmedOwner {
  organizationId: Id<"organization">
  userId: Id<"user">
  name: string
  language: string
}

/** The owner of a registered organization who has not proved their address yet. */
export async function findUnconfirmedOwner(
  sql: Sql,
  accountId: string | undefined,
  lock: "read" | "update" = "read",
): Promise<UnconfirmedOwner | undefined> {
  const rows = await sql<UnconfirmedOwner[]>`
    select organization_id, id as user_id, name, language from users
    where account_id = ${accountId ?? ""} and status = 'inactive' and is_first_owner
    ${lock === "update" ? sql`for update` : sql``}`
  return rows[0]
}

export async function activateFirstOwner(
  tx: Tx,
  { organizationId, userId }: UnconfirmedOwner,
  { name, phoneNumber, language }: { name: string; phoneNumber: string; language: string },
): Promise<void> {
  await tx`
    update users set name = ${name}, phone_number = ${phoneNumber}, language = ${language}, status = 'active', updated_time = now()
    where organization_id = ${organizationId} and id = ${userId}`
}

/** Makes a language that of all members. */
export async function setLanguageOfMembers(tx: Tx, organizationId: string, language: string): Promise<void> {
  await tx`update users set language = ${language} where organization_id = ${organizationId}`
}

/** Notes that a member signs in. False when the membership is not active. */
export async function noteSignIn(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<boolean> {
  const entered = await tx`
    update users set last_login = clock_timestamp(), first_login = false
    where organization_id = ${organizationId} and id = ${userId} and status = 'active' returning 1`
  return entered.length > 0
}

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
