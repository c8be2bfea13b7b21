import { audit } from "#core/audit.ts"
import { inTransaction, type Pool, type Tx } from "#core/database.ts"
import { coreErrors } from "#core/errors.ts"
import type { RateLimiter } from "#core/rate-limit.ts"
import { type AccountRow, attemptPassword, forgiveFailures, normalizeEmail } from "../accounts/index.ts"
import { beginChallenge, needsSecondFactor } from "./challenge.ts"
import { sessionErrors } from "./errors.ts"
import { type Membership, openSession, type Session } from "./session.ts"

export interface SignIn {
  email: string
  password: string
  address: string
}

/** Signed in, or waiting for a one-time code under this id. */
export type SignedIn = { session: Session } | { challengeId: string }

/** Wrong passwords of one address within a minute; a company behind one address still gets through. */
const mostFailures = 30
const windowSeconds = 60

/**
 * Refusals leave at whole multiples of this, so that neither on a quiet machine nor on a busy one their time tells
 * an unknown e-mail, for which less is written, from a known one.
 */
const refusalMilliseconds = 120

/**
 * Signs a person in to the organization that he used last. The work and the answer are the same for an
 * unknown e-mail and a wrong password. An address with too many failures waits a minute.
 */
export async function signIn(
  { sql, limiter }: { sql: Pool; limiter: RateLimiter },
  wish: SignIn,
): Promise<SignedIn> {
  const failures = `sign-in:${wish.address}`
  if (!(await limiter.hasRoom(failures, mostFailures, windowSeconds))) throw tooMany()
  const begun = performance.now()
  const { account, isRight } = await attemptPassword(sql, wish.email, wish.password)
  if (!account || !isRight) {
    await limiter.take(failures, mostFailures, windowSeconds)
    await noteRefusal(sql, account, wish)
    await waitForNextStep(begun)
    throw sessionErrors.refused()
  }
  const outcome = await inTransaction(sql, (tx) => enter(tx, account, wish))
  if (outcome) return outcome
  await waitForNextStep(begun)
  throw sessionErrors.refused()
}

export function tooMany() {
  return coreErrors.tooManyRequests({ headers: { "retry-after": String(windowSeconds) } })
}

async function enter(tx: Tx, account: AccountRow, wish: SignIn): Promise<SignedIn | undefined> {
  const membership = await chooseMembership(tx, account)
  if (!membership) return undefined
  const method = await needsSecondFactor(tx, membership, account)
  if (method) return { challengeId: await beginChallenge(tx, membership, account.email, method) }
  const session = await openSession(tx, membership)
  if (!session) return undefined
  await forgiveFailures(tx, account.id)
  await noteEntry(tx, session, account.email, wish.address)
  return { session }
}

export function noteEntry(tx: Tx, session: Session, email: string, address: string): Promise<void> {
  return audit(
    tx,
    { organizationId: session.organizationId, email, address },
    { action: "session.open", targetType: "user", targetId: session.userId, targetName: email },
  )
}

/** Writes the failure where each of the person's organizations can read it. An unknown e-mail has none. */
async function noteRefusal(sql: Pool, account: AccountRow | undefined, wish: SignIn): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const members = await tx<Membership[]>`
      select id as user_id, organization_id from users where account_id = ${account?.id ?? ""} and status <> 'pending'`
    for (const { organizationId, userId } of members) {
      await audit(
        tx,
        { organizationId, email: null, address: wish.address },
        {
          action: "session.refuse",
          targetType: "user",
          targetId: userId,
          targetName: normalizeEmail(wish.email),
        },
      )
    }
  })
}

/**
 * The active membership that was used last. A password that an administrator chose opens his organization
 * only. Says what to do when there are only waiting memberships; undefined when there is none to enter.
 */
async function chooseMembership(tx: Tx, account: AccountRow): Promise<Membership | undefined> {
  const members = await tx<(Membership & { status: string })[]>`
    select id as user_id, organization_id, status from users
    where account_id = ${account.id}
      ${account.passwordSetBy === null ? tx`` : tx`and organization_id = ${account.passwordSetBy}`}
    order by status = 'active' desc, last_login desc nulls last, created_time`
  const first = members[0]
  if (first?.status === "active") return first
  if (members.some(({ status }) => status === "pending" || status === "inactive"))
    throw sessionErrors.notYetMember()
  return undefined
}

async function waitForNextStep(begun: number): Promise<void> {
  const spent = performance.now() - begun
  const steps = Math.floor(spent / refusalMilliseconds) + 1
  await new Promise((resolve) => setTimeout(resolve, steps * refusalMilliseconds - spent))
}
