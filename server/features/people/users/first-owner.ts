import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"

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
