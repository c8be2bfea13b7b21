import { createHash } from "node:crypto"
import { audit } from "#core/audit.ts"
import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { coreErrors } from "#core/errors.ts"
import type { RateLimiter } from "#core/fairness/rate-limit.ts"
import type { SealingKeys } from "#core/security/sealing.ts"
import {
  type AccountRow,
  attemptPassword,
  type BrowserCookie,
  findAttempt,
  networkOf,
  normalizeEmail,
  type Origin,
  type SignInSource,
  welcome,
} from "../accounts/index.ts"
import { beginChallenge, needsSecondFactor } from "./challenge.ts"
import { sessionErrors } from "./errors.ts"
import { type Membership, openSession, type Session } from "./session.ts"

export interface SignIn {
  email: string
  password: string
  origin: Origin
}

/** Signed in, or waiting for a one-time code under this id. */
export type SignedIn = { session: Session; browser: BrowserCookie | undefined } | { challengeId: string }

const windowSeconds = 60
/** Wrong passwords for one e-mail from one network within a minute. */
const maxFailures = 30
/**
 * What a network may add up over all e-mails within a minute. Each e-mail adds three at most: trying many
 * accounts is stopped, and one person's mistakes do not keep their colleagues out.
 */
const maxSpread = 30
const spreadPerEmail = 3

/**
 * Refusals leave at whole multiples of this, so that neither on a quiet machine nor on a busy one their time reveals
 * an unknown e-mail, for which less is written, from a known one.
 */
const refusalMilliseconds = 120

/**
 * Signs a person in to the organization used last. The work and the response are the same for an
 * unknown e-mail and a wrong password. Who signs in from a known place is not throttled by what others do.
 */
export async function signIn(
  app: { sql: Pool; limiter: RateLimiter; settings: SealingKeys },
  options: SignIn,
): Promise<SignedIn> {
  const { sql } = app
  const { account, source } = await findAttempt(sql, options.email, options.origin)
  const throttle = throttleOf(app.limiter, options.origin.address, normalizeEmail(options.email))
  if (!source.isKnown && !(await throttle.hasRoom())) throw tooMany()
  const begun = performance.now()
  if (!(await attemptPassword(sql, { email: options.email, account, source }, options.password))) {
    if (!source.isKnown) await throttle.count()
    await noteRefusal(sql, account, options)
    await waitForNextStep(begun)
    throw sessionErrors.refused()
  }
  const outcome =
    account && (await inTransaction(sql, (tx) => enter(tx, app.settings, { account, source, options })))
  if (outcome) return outcome
  await waitForNextStep(begun)
  throw sessionErrors.refused()
}

/** Counts what a network got wrong: in all, and for one subject, such as an e-mail. */
export function throttleOf(limiter: RateLimiter, address: string, subject: string) {
  const network = `sign-in:${networkOf(address)}`
  const one = `${network}:${createHash("sha256").update(subject).digest("base64url").slice(0, 22)}`
  return {
    hasRoom: async () =>
      (await limiter.hasRoom(network, maxSpread, windowSeconds)) &&
      (await limiter.hasRoom(one, maxFailures, windowSeconds)),
    async count(): Promise<void> {
      if (await limiter.take(one, spreadPerEmail, windowSeconds))
        await limiter.take(network, maxSpread, windowSeconds)
    },
  }
}

export function tooMany() {
  return coreErrors.tooManyRequests({ headers: { "retry-after": String(windowSeconds) } })
}

interface Right {
  account: AccountRow
  source: SignInSource
  options: SignIn
}

async function enter(
  tx: Tx,
  config: SealingKeys,
  { account, source, options }: Right,
): Promise<SignedIn | undefined> {
  const membership = await chooseMembership(tx, account)
  if (!membership) return undefined
  const method = await needsSecondFactor(tx, membership, account)
  if (method) return { challengeId: await beginChallenge(tx, config, membership, account.email, method) }
  const session = await openSession(tx, membership)
  if (!session) return undefined
  const browser = await welcome(tx, account.id, source, options.origin)
  await noteEntry(tx, session, account.email, options.origin.address)
  return { session, browser }
}

export function noteEntry(tx: Tx, session: Session, email: string, address: string): Promise<void> {
  return audit(
    tx,
    { organizationId: session.organizationId, email, address },
    { action: "session.open", targetType: "user", targetId: session.userId, targetName: email },
  )
}

/** Writes the failure where each of the person's organizations can read it. An unknown e-mail has none. */
async function noteRefusal(sql: Pool, account: AccountRow | undefined, options: SignIn): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const members = await tx<Membership[]>`
      select id as user_id, organization_id from users where account_id = ${account?.id ?? ""} and status <> 'pending'`
    for (const { organizationId, userId } of members) {
      await audit(
        tx,
        { organizationId, email: null, address: options.origin.address },
        {
          action: "session.refuse",
          targetType: "user",
          targetId: userId,
          targetName: normalizeEmail(options.email),
        },
      )
    }
  })
}

/**
 * The active membership that was used last. A password that an administrator chose opens their organization
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
