import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { hashPassword, passwordMatches } from "#core/security/passwords.ts"
import {
  defaultPolicy,
  isAboutPerson,
  isCommonPassword,
  policyOfAccount,
  weaknessOf,
} from "../password-policies/index.ts"
import { type AccountRow, findAccount, touchMemberships } from "./accounts.ts"
import { attemptPassword } from "./attempt.ts"
import { accountErrors } from "./errors.ts"
import { clearFailures, sessionSource } from "./sign-in-sources.ts"

/** Who chose the password: the person, the person with a mailed link, or an organization's administrator. */
export type ChosenBy = "self" | "mail" | { organizationId: string }

/**
 * Gives an account a new password when the policies of its organizations allow it, and ends a lock. Unless the
 * person changed it themselves, browsers and addresses of earlier sign-ins are no longer known.
 * Refuses weak and used passwords; the person's own change also before the minimum duration is over.
 */
export async function setPassword(
  tx: Tx,
  accountId: string,
  password: string,
  chosenBy: ChosenBy,
): Promise<void> {
  await tx`select 1 from accounts where id = ${accountId} for update`
  const account = await findAccount(tx, { id: accountId })
  if (!account) throw new Error("The account of a password no longer exists")
  const policy = await policyOfAccount(tx, accountId)
  await checkStrength(password, await wordsAbout(tx, account), policy)
  if (chosenBy === "self" && policy.minimumDuration > 0 && account.passwordChangedTime) {
    const until = account.passwordChangedTime.add({ hours: 24 * policy.minimumDuration })
    if (Temporal.Instant.compare(Temporal.Now.instant(), until) < 0) throw accountErrors.changedRecently()
  }
  await refuseUsed(account, password, policy.passwordHistory)
  const history = [account.passwordHash, ...account.passwordHistory].filter((hash) => hash !== null)
  const setBy = typeof chosenBy === "object" ? chosenBy.organizationId : null
  await tx`
    update accounts set password_hash = ${await hashPassword(password)}, password_changed_time = now(),
      password_history = ${history.slice(0, policy.passwordHistory)},
      password_set_by = ${chosenBy === "self" ? tx`password_set_by` : setBy}, expiry_notice_time = null, updated_time = now()
    where id = ${accountId}`
  await clearFailures(tx, accountId, chosenBy !== "self")
  await touchMemberships(tx, accountId)
}

/**
 * Refuses a password that the policy does not allow, without one the default policy, that is on every list of guesses,
 * or that consists of words about the person. Passwords that people have already keep working.
 */
export async function checkStrength(
  password: string,
  about: readonly string[],
  policy: Parameters<typeof weaknessOf>[1] = defaultPolicy,
): Promise<void> {
  const weakness =
    weaknessOf(password, policy) ??
    (isAboutPerson(password, about)
      ? "The password is too similar to your name, e-mail or organization. Choose another one"
      : (await isCommonPassword(password))
        ? "This password is too common and easy to guess. Choose another one"
        : undefined)
  if (weakness) throw accountErrors.weakPassword({ message: weakness, fields: { password: [weakness] } })
}

async function wordsAbout(sql: Sql, account: AccountRow): Promise<string[]> {
  const rows = await sql<{ name: string; organization: string }[]>`
    select users.name, organizations.name as organization
    from users join organizations on organizations.id = users.organization_id
    where users.account_id = ${account.id} and users.status in ('active', 'inactive', 'pending')`
  return [account.email, "fieldway", ...rows.flatMap(({ name, organization }) => [name, organization])]
}

async function refuseUsed(account: AccountRow, password: string, historyLength: number): Promise<void> {
  const used = [account.passwordHash, ...account.passwordHistory].filter((hash) => hash !== null)
  for (const hash of used.slice(0, historyLength))
    if (await passwordMatches(hash, password)) throw accountErrors.usedPassword()
}

/** Whether this is the account's password, counting a wrong one towards the lock like a sign-in. */
export async function confirmPassword(
  sql: Sql,
  caller: Pick<Caller, "accountId" | "tokenId">,
  password: string,
): Promise<boolean> {
  const account = await findAccount(sql, { id: caller.accountId })
  if (!account) return false
  const source = sessionSource(caller.tokenId)
  return attemptPassword(sql, { email: account.email, account, source }, password)
}
