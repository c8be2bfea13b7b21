import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { queueMail } from "../../organization/mails/index.ts"
import { findAccount, lockAccount, normalizeEmail, setAccountEmail } from "../accounts/index.ts"
import { userErrors } from "./errors.ts"
import type { EmailHook } from "./update-user.ts"
import type { UserRow } from "./wire.ts"

/**
 * Gives an account another e-mail, in all its organizations. Only the account's first organization may, and while
 * the person is a member of another one only the person, known by a password of their own: the owner of the mailbox
 * owns the account, and an administrator can open a session of their members, by a password that they hand out or
 * through the organization's directory. The new address counts as unverified, and the old one is notified.
 */
export async function changeEmail(
  tx: Tx,
  caller: Caller,
  person: UserRow,
  options: string,
  by: "administrator" | "self",
  hooks: readonly EmailHook[],
): Promise<void> {
  const email = normalizeEmail(options)
  if (email === person.email) return
  await lockAccount(tx, person.accountId)
  const account = await findAccount(tx, { id: person.accountId })
  if (account?.originOrganizationId !== caller.organizationId) throw userErrors.otherOrigin()
  const memberships = await tx<{ organizationId: string; status: string }[]>`
    select organization_id, status from users where account_id = ${person.accountId}`
  const worksElsewhere = memberships.some(
    ({ organizationId, status }) =>
      organizationId !== caller.organizationId && (status === "active" || status === "disabled"),
  )
  const isThePerson = by === "self" && caller.signIn === "password" && account.passwordSetBy === null
  if (worksElsewhere && !isThePerson) throw userErrors.otherOrigin()
  if (await findAccount(tx, { email }))
    throw userErrors.emailTaken({ fields: { email: [`${email} has another account`] } })
  await setAccountEmail(tx, person.accountId, email)
  await tx`update users set email = ${email}, invitation_hash = null where account_id = ${person.accountId}`
  for (const { organizationId } of memberships)
    for (const hook of hooks) await hook(tx, organizationId, person.email, email)
  await queueMail(
    tx,
    { organizationId: caller.organizationId, email: person.email, language: person.language },
    "emailChanged",
    { name: person.name, email },
  )
}
