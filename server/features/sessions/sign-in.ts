import { newToken } from "#core/access/token.ts"
import { audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { passwordMatches } from "#core/passwords.ts"
import { normalizeEmail } from "../accounts/index.ts"
import { sessionErrors } from "./errors.ts"

interface AccountRow {
  id: Id<"account">
  passwordHash: string | null
  failedAttempts: number
  isLocked: boolean
}

interface MembershipRow {
  userId: Id<"user">
  organizationId: Id<"organization">
  status: string
}

export interface Session {
  organizationId: Id<"organization">
  userId: Id<"user">
  token: string
  expiresInSeconds: number
}

export interface SignIn {
  email: string
  password: string
  address: string
}

/** Locked after this many wrong passwords in a row, for this long: the policy "Default Accounts". */
const lockAfterAttempts = 5
const lockMinutes = 30

/**
 * Signs a person in to the organization that he used last. The work and the answer are the same for an
 * unknown e-mail and a wrong password.
 */
export async function signIn(sql: Sql, wish: SignIn): Promise<Session> {
  const email = normalizeEmail(wish.email)
  const account = await findAccount(sql, email)
  const isRight = await passwordMatches(account?.passwordHash, wish.password)
  if (!account) throw sessionErrors.refused()
  if (account.isLocked || !isRight) {
    await recordFailure(sql, account, email, wish.address)
    throw sessionErrors.refused()
  }
  return inTransaction(sql, async (tx) => {
    const membership = await chooseMembership(tx, account.id)
    await tx`update accounts set failed_attempts = 0, locked_until = null where id = ${account.id}`
    const session = await openSession(tx, membership)
    const actor = { organizationId: session.organizationId, email, address: wish.address }
    await audit(tx, actor, {
      action: "session.open",
      targetType: "user",
      targetId: session.userId,
      targetName: email,
    })
    return session
  })
}

async function findAccount(sql: Sql, email: string): Promise<AccountRow | undefined> {
  const rows = await sql<AccountRow[]>`
    select id, password_hash, failed_attempts, coalesce(locked_until > now(), false) as is_locked
    from accounts where email = ${email}`
  return rows[0]
}

async function recordFailure(sql: Sql, account: AccountRow, email: string, address: string): Promise<void> {
  await inTransaction(sql, async (tx) => {
    if (!account.isLocked) {
      await tx`
        update accounts set
          failed_attempts = case when failed_attempts + 1 >= ${lockAfterAttempts} then 0 else failed_attempts + 1 end,
          locked_until = case when failed_attempts + 1 >= ${lockAfterAttempts}
            then now() + make_interval(mins => ${lockMinutes}) else locked_until end
        where id = ${account.id}`
    }
    const members = await tx<MembershipRow[]>`
      select id as user_id, organization_id, status from users where account_id = ${account.id}`
    for (const { organizationId, userId } of members) {
      await audit(
        tx,
        { organizationId, email: null, address },
        { action: "session.refuse", targetType: "user", targetId: userId, targetName: email },
      )
    }
  })
}

/** The active membership that was used last. Says what to do when there are only waiting ones. */
async function chooseMembership(tx: Tx, accountId: string): Promise<MembershipRow> {
  const members = await tx<MembershipRow[]>`
    select id as user_id, organization_id, status from users where account_id = ${accountId}
    order by status = 'active' desc, last_login desc nulls last, created_time`
  const first = members[0]
  if (first?.status === "active") return first
  if (members.some(({ status }) => status === "pending" || status === "inactive"))
    throw sessionErrors.notYetMember()
  throw sessionErrors.refused()
}

/** Opens a session of one calendar year, less a second, and notes the sign-in. */
export async function openSession(
  tx: Tx,
  member: { organizationId: Id<"organization">; userId: Id<"user"> },
): Promise<Session> {
  const { organizationId, userId } = member
  const { token, hash } = newToken(organizationId)
  const rows = await tx<{ expiresInSeconds: number }[]>`
    insert into access_tokens (organization_id, hash, id, user_id, kind, expires_at)
    values (${organizationId}, ${hash}, ${newId()}, ${userId}, 'session', now() + interval '1 year' - interval '1 second')
    returning extract(epoch from expires_at - now())::int as expires_in_seconds`
  await tx`
    update users set last_login = now(), first_login = false where organization_id = ${organizationId} and id = ${userId}`
  return { organizationId, userId, token, expiresInSeconds: rows[0]?.expiresInSeconds ?? 0 }
}
