import { audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { queueMail } from "../../organization/mails/index.ts"
import {
  type AccessHook,
  accountErrors,
  endAccess,
  findAccount,
  issueCode,
  markVerified,
  normalizeEmail,
  resetMinutes,
  setPassword,
  spendCode,
} from "../../people/accounts/index.ts"
import type { MailContext } from "./register.ts"

/**
 * Mails a link for choosing a new password to an account that exists. The mail belongs to the account's first
 * organization, the only one that may reset its password anyway; without one nobody may read it in an outbox.
 */
export async function sendResetLink(sql: Sql, email: string, context: MailContext): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const account = await findAccount(tx, { email })
    if (!account) return
    const members = await tx<{ organizationId: string; language: string; status: string }[]>`
      select organization_id, language, status from users where account_id = ${account.id}
      order by organization_id = ${account.originOrganizationId ?? ""} desc, last_login desc nulls last`
    const member = members.find(({ status }) => status !== "pending" && status !== "reject")
    if (!member) return
    const code = await issueCode(tx, account.id, "reset")
    if (!code) return
    const isPrivate = member.organizationId !== account.originOrganizationId && member.status !== "inactive"
    const link = `${context.publicUrl}/reset-password?email=${encodeURIComponent(account.email)}&token=${code}`
    const organizationId =
      member.status === "inactive" && !context.hasMailServer ? null : member.organizationId
    const to = { organizationId, email: account.email, language: member.language, isPrivate }
    await queueMail(tx, to, "reset", { link, minutes: resetMinutes })
  })
}

/** Chooses a new password with the mailed link, once. All access ends everywhere, personal tokens too; a lock ends. */
export async function resetPassword(
  tx: Tx,
  options: { email: string; token: string; password: string },
  { address, onAccessEnd }: { address: string; onAccessEnd: readonly AccessHook[] },
): Promise<void> {
  const account = await findAccount(tx, { email: normalizeEmail(options.email) })
  if (!(await spendCode(tx, account?.id, "reset", options.token.toLowerCase())) || !account)
    throw accountErrors.badReset()
  await setPassword(tx, account.id, options.password, "mail")
  await markVerified(tx, account.id)
  await endAccess(tx, account.id, { onAccessEnd })
  const members = await tx<{ organizationId: string; userId: string }[]>`
    select organization_id, id as user_id from users where account_id = ${account.id} and status in ('active', 'disabled')`
  for (const { organizationId, userId } of members)
    await audit(
      tx,
      { organizationId, email: account.email, address },
      { action: "user.reset-password", targetType: "user", targetId: userId, targetName: account.email },
    )
}
